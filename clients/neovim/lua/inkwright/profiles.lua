-- The abilities that the server offers, in the writer's language; asked for once per session.
local M = {}

local client = require('inkwright.client')
local protocol = require('inkwright.protocol')

--- The words of the command for the built-in abilities.
M.WORDS = { polish = 'polish', write = 'writing', analyse = 'analysis', research = 'research' }

---@class inkwright.Profile
---@field id string
---@field kind 'ability'|'domain'
---@field label string
---@field description string
---@field quickActions { label: string, message: string }[]

---@type inkwright.Profile[]?
local known

local waiting = {}

--- Asks the server, once.
function M.load()
  if #waiting > 0 then
    return
  end
  table.insert(waiting, function() end)
  local sent = client.execute(protocol.COMMANDS.list_profiles, nil, function(result)
    known = result
    local asked = waiting
    waiting = {}
    for _, done in ipairs(asked) do
      done(result)
    end
  end, {
    failed = function()
      waiting = {}
    end,
  })
  if not sent then
    waiting = {}
  end
end

--- Gives the profiles to `done`, now or when they have come.
---@param done fun(profiles: inkwright.Profile[])
function M.get(done)
  if known then
    done(known)
    return
  end
  M.load()
  if #waiting > 0 then
    table.insert(waiting, done)
  end
end

--- What is known without waiting.
---@return inkwright.Profile[]
function M.now()
  return known or {}
end

---@param id string
---@return string
function M.label(id)
  for _, profile in ipairs(M.now()) do
    if profile.id == id and profile.kind == 'ability' then
      return profile.label
    end
  end
  return id
end

function M.forget()
  known, waiting = nil, {}
end

return M
