-- The abilities and domains that the server offers, in the writer's language. Asked for each time that they
-- are shown, since a book can bring its own and they change; what came last is known without waiting.
local M = {}

local client = require('inkwright.client')
local protocol = require('inkwright.protocol')

--- The words of the command for the built-in abilities.
M.WORDS = { polish = 'polish', write = 'writing', analyse = 'analysis', research = 'research' }

---@type inkwright.Profile[]
local known = {}

--- Asks the server. When it has no answer, what was known is all there is.
---@param done? fun(profiles: inkwright.Profile[])
---@param uri? string a document of the book
---@param quiet? boolean
function M.load(done, uri, quiet)
  local function hand_on()
    if done then
      done(known)
    end
  end
  client.execute(protocol.COMMANDS.list_profiles, uri and { uri = uri }, function(result)
    known = result
    hand_on()
  end, { failed = hand_on, quiet = quiet })
end

--- Gives the profiles of the document in front to `done`.
---@param done? fun(profiles: inkwright.Profile[])
---@param quiet? boolean
function M.get(done, quiet)
  local named = vim.api.nvim_buf_get_name(client.source()) ~= ''
  M.load(done, named and client.here() or nil, quiet)
end

---@param id string
---@return inkwright.Profile?
local function find(id)
  for _, profile in ipairs(known) do
    if profile.id == id and profile.kind == 'ability' then
      return profile
    end
  end
end

--- Gives an ability to `done`, now if it is known; nil when there is none of that id.
---@param id string
---@param done fun(profile?: inkwright.Profile)
function M.find(id, done)
  local profile = find(id)
  if profile then
    done(profile)
  else
    M.get(function()
      done(find(id))
    end)
  end
end

--- The ids for completion, as known; those of now are there the next time.
---@param field 'ability'|'pipeline'
---@return string[]
function M.ids(field)
  local out = {}
  for _, profile in ipairs(known) do
    local id = field == 'pipeline' and profile.pipeline or (field == profile.kind and profile.id)
    if id and not vim.list_contains(out, id) then
      table.insert(out, id)
    end
  end
  if #vim.lsp.get_clients({ name = client.NAME }) > 0 then
    M.get(nil, true)
  end
  return out
end

---@param id string
---@return string
function M.label(id)
  local profile = find(id)
  return profile and profile.label or id
end

--- What an ability's answer becomes; nil when it is not known.
---@param id string
---@return string?
function M.output(id)
  local profile = find(id)
  return profile and profile.output
end

return M
