-- The proposals that wait for a chapter, as the server has them now. The texts of each are sent once; after that only
-- where its hunks stand.
local M = {}

local client = require('inkwright.client')
local protocol = require('inkwright.protocol')

local ATTEMPTS = 5

---@alias inkwright.Texts table<string, table<integer, inkwright.Hunk>> hunks as they were sent, by proposal and index

---@type table<integer, inkwright.Texts> by buffer
local known = {}

--- A proposal that was listed without its texts, with them; nil where one is not known.
---@param one inkwright.Listed
---@param texts? table<integer, inkwright.Hunk>
---@return inkwright.Proposal?
local function whole(one, texts)
  local hunks, line = {}, 0
  for at = 1, #one.places, 5 do
    local index, below, character, lines, last = unpack(one.places, at, at + 4)
    line = line + below
    local range =
      { start = { line = line, character = character }, ['end'] = { line = line + lines, character = last } }
    table.insert(hunks, { index = index, range = range })
  end
  for _, index in ipairs(one.stale) do
    table.insert(hunks, { index = index, stale = true })
  end
  table.sort(hunks, function(a, b)
    return a.index < b.index
  end)
  for _, hunk in ipairs(hunks) do
    local text = texts and texts[hunk.index]
    if not text then
      return nil
    end
    hunk.before, hunk.after, hunk.findings = text.before, text.after, text.findings
  end
  return { id = one.id, uri = one.uri, version = one.version, hunks = hunks }
end

--- The proposals of an answer with their texts; nil where one has to be asked for anew.
---@param source integer
---@param listed (inkwright.Proposal|inkwright.Listed)[]
---@return inkwright.Proposal[]?
local function told(source, listed)
  local before, now, out = known[source] or {}, {}, {}
  for _, one in ipairs(listed) do
    local texts = before[one.id] or {}
    now[one.id] = texts
    for _, hunk in ipairs(one.hunks or {}) do
      texts[hunk.index] = hunk
    end
    local proposal = one.places and whole(one, texts) or one
    if not proposal.hunks then -- an undo has brought one back that had been decided when the texts were sent
      known[source] = nil
      return nil
    end
    table.insert(out, proposal)
  end
  known[source] = now
  return out
end

--- The ids of the proposals whose texts are known.
local function ids(source)
  for other in pairs(known) do
    if not vim.api.nvim_buf_is_loaded(other) then
      known[other] = nil
    end
  end
  return vim.tbl_keys(known[source] or {})
end

--- Gives the proposals of a chapter to `done`, with ranges that are right for its text as it is then.
---@param source integer
---@param done fun(proposals: inkwright.Proposal[], client: vim.lsp.Client)
---@param failed? fun(err?: lsp.ResponseError) nothing is said then; without it what fails is told to the writer
---@param attempt? integer
function M.fetch(source, done, failed, attempt)
  if not vim.api.nvim_buf_is_loaded(source) then -- the chapter was closed
    if failed then
      failed()
    end
    return
  end
  local server = failed and client.find(source) or not failed and client.get(source)
  if not server then
    if failed then
      failed()
    end
    return
  end
  attempt = attempt or 1
  local tick = vim.api.nvim_buf_get_changedtick(source)
  local argument = { uri = client.uri(source), known = ids(source) }
  client.execute(protocol.COMMANDS.list_proposals, argument, function(listed)
    if not vim.api.nvim_buf_is_loaded(source) then
      if failed then
        failed()
      end
      return
    end
    local changed = vim.api.nvim_buf_get_changedtick(source) ~= tick and attempt < ATTEMPTS
    local proposals = told(source, listed)
    if changed or not proposals then
      M.fetch(source, done, failed, attempt + 1)
      return
    end
    require('inkwright.runs').waiting(source, proposals)
    done(proposals, server)
  end, { bufnr = source, quiet = failed ~= nil, failed = failed })
end

--- The hunks whose text is still there, in order.
---@param proposal inkwright.Proposal
---@return inkwright.Hunk[]
function M.standing(proposal)
  local out = vim.tbl_filter(function(hunk)
    return not hunk.stale
  end, proposal.hunks)
  table.sort(out, function(a, b)
    return a.index < b.index
  end)
  return out
end

return M
