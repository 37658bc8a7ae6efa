-- The abilities and domains that the server offers, in the writer's language. Asked for each time that they
-- are shown, since a book can bring its own and they change; what came last is known without waiting.
local M = {}

local client = require('inkwright.client')
local protocol = require('inkwright.protocol')
local tr = require('inkwright.i18n').tr

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
  M.load(done, client.any() and client.here() or nil, quiet)
end

--- The server says that they have changed.
function M.changed()
  M.get(nil, true)
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

--- How many characters two names differ by.
local function distance(a, b)
  local row = {}
  for j = 0, #b do
    row[j] = j
  end
  for i = 1, #a do
    local above = row[0]
    row[0] = i
    for j = 1, #b do
      local cost = a:byte(i) == b:byte(j) and 0 or 1
      above, row[j] = row[j], math.min(row[j] + 1, row[j - 1] + 1, above + cost)
    end
  end
  return row[#b]
end

--- The abilities that may have been meant by a name that none has; all where none is near.
---@param name string
---@return string[]
function M.near(name)
  local ids, out = M.ids('ability'), {}
  for _, id in ipairs(ids) do
    local part = #name > 2 and (id:find(name, 1, true) or name:find(id, 1, true))
    if M.WORDS[name] == id or part or distance(name:lower(), id) <= 2 then
      table.insert(out, id)
    end
  end
  return #out > 0 and out or ids
end

local SHORT = 250

--- The ids, as known. With `fresh` the server is asked, and waited for so long that nobody notices: a profile that was
--- put there meanwhile is among them.
---@param field 'ability'|'domain'|'pipeline'
---@param fresh? boolean
---@return string[]
function M.ids(field, fresh)
  if fresh and client.any() then
    local answered = false
    M.get(function()
      answered = true
    end, true)
    vim.wait(SHORT, function()
      return answered
    end, 5)
  end
  local out = {}
  for _, profile in ipairs(known) do
    local id = field == 'pipeline' and profile.pipeline or (field == profile.kind and profile.id)
    if id and not vim.list_contains(out, id) then
      table.insert(out, id)
    end
  end
  return out
end

---@param id string
---@return string
function M.label(id)
  local profile = find(id)
  return profile and profile.label or tr('ability_labels')[id] or id
end

--- What a kind of book is called.
---@param id string
---@return string
function M.domain(id)
  for _, profile in ipairs(known) do
    if profile.id == id and profile.kind == 'domain' then
      return profile.label
    end
  end
  return id
end

--- What an ability's answer becomes; nil when it is not known.
---@param id string
---@return string?
function M.output(id)
  local profile = find(id)
  return profile and profile.output
end

--- Makes a new ability's file from the server's template and opens it; asks for the name if there is none.
---@param name? string
function M.new(name)
  local errors = require('inkwright.errors')
  local uri = client.here()
  local function make(called)
    if not called or vim.trim(called) == '' then
      return
    end
    client.execute(protocol.COMMANDS.create_profile, { uri = uri, name = vim.trim(called) }, function(made)
      require('inkwright.pages').edit(made.uri)
      if made.message then
        errors.warn(made.message)
      else
        errors.say(tr('ability_made', made.id))
      end
    end)
  end
  if name and name ~= '' then
    make(name)
  else
    vim.ui.input({ prompt = tr('ability_name') }, make)
  end
end

return M
