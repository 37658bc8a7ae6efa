-- The proposals that wait for a chapter, as the server has them now.
local M = {}

local client = require('inkwright.client')
local protocol = require('inkwright.protocol')

local ATTEMPTS = 5

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
  client.execute(protocol.COMMANDS.list_proposals, { uri = client.uri(source) }, function(proposals)
    if not vim.api.nvim_buf_is_loaded(source) then
      if failed then
        failed()
      end
      return
    end
    if vim.api.nvim_buf_get_changedtick(source) ~= tick and attempt < ATTEMPTS then
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
