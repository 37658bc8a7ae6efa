-- The proposals that wait for a chapter, as the server has them now.
local M = {}

local client = require('inkwright.client')
local protocol = require('inkwright.protocol')

local ATTEMPTS = 5

--- Gives the proposals of a chapter to `done`, with ranges that are right for its text as it is then.
---@param source integer
---@param done fun(proposals: inkwright.Proposal[], client: vim.lsp.Client)
---@param quiet? boolean
---@param attempt? integer
function M.fetch(source, done, quiet, attempt)
  if not vim.api.nvim_buf_is_loaded(source) then
    return -- the chapter was closed
  end
  local server = quiet and client.find(source) or not quiet and client.get(source)
  if not server then
    return
  end
  attempt = attempt or 1
  local tick = vim.api.nvim_buf_get_changedtick(source)
  client.execute(protocol.COMMANDS.list_proposals, { uri = client.uri(source) }, function(proposals)
    if not vim.api.nvim_buf_is_loaded(source) then
      return
    end
    if vim.api.nvim_buf_get_changedtick(source) ~= tick and attempt < ATTEMPTS then
      M.fetch(source, done, quiet, attempt + 1)
      return
    end
    done(proposals, server)
  end, { bufnr = source, quiet = quiet })
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
