-- Line ends that Neovim and the server count differently: a carriage return by itself ends a line for the protocol and
-- not for Neovim, so behind one every place of the server is in another line here.
local M = {}

--- Whether a buffer has one. At the end of a line it belongs to the line feed that is written behind it.
---@param bufnr integer
---@return boolean
function M.lone(bufnr)
  if not vim.api.nvim_buf_is_loaded(bufnr) then
    return false
  end
  local bo = vim.bo[bufnr]
  local lines = vim.api.nvim_buf_get_lines(bufnr, 0, -1, true)
  local followed = bo.fileformat == 'unix'
  for at, line in ipairs(lines) do
    local found = line:find('\r', 1, true)
    if found and not (followed and found == #line and (at < #lines or bo.endofline)) then
      return true
    end
  end
  return false
end

--- What makes line ends of those in a buffer.
---@param bufnr integer
---@return string
function M.cure(bufnr)
  -- Those at the ends of lines stay where some lines end so.
  local mixed = vim.bo[bufnr].fileformat == 'unix'
    and vim.iter(vim.api.nvim_buf_get_lines(bufnr, 0, -1, true)):any(function(line)
      return line:sub(-1) == '\r'
    end)
  return mixed and [[:%s/\r\ze./\r/g]] or [[:%s/\r/\r/g]]
end

--- What a writer is told who wants an edit in such a buffer.
---@param bufnr integer
---@return string
function M.refusal(bufnr)
  local name = vim.fs.basename(vim.api.nvim_buf_get_name(bufnr))
  return require('inkwright.i18n').tr('lone_returns', name, M.cure(bufnr))
end

--- Whether the text of a buffer is one that no edit can be made in; then it is said.
---@param bufnr integer
---@return boolean
function M.refused(bufnr)
  local lone = M.lone(bufnr)
  if lone then
    require('inkwright.errors').fail(M.refusal(bufnr))
  end
  return lone
end

local function whole(bufnr)
  local bo = vim.bo[bufnr]
  local ending = ({ unix = '\n', dos = '\r\n', mac = '\r' })[bo.fileformat]
  local text = table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, true), ending)
  return bo.endofline and text .. ending or text
end

--- Has the server be given the whole text with each change while such a line end is there, and once when it has gone:
--- what Neovim says of a part is in lines of its own.
---@param server vim.lsp.Client
function M.follow(server)
  local notify, unsound = server.rpc.notify, {}
  for bufnr in pairs(server.attached_buffers) do
    unsound[vim.uri_from_bufnr(bufnr)] = M.lone(bufnr)
  end
  server.rpc.notify = function(method, params)
    if method == 'textDocument/didOpen' or method == 'textDocument/didChange' then
      local uri = params.textDocument.uri
      local bufnr = vim.uri_to_bufnr(uri)
      local was, is = unsound[uri], M.lone(bufnr)
      unsound[uri] = is
      if params.contentChanges and (was or is) then
        params = vim.tbl_extend('force', params, { contentChanges = { { text = whole(bufnr) } } })
      end
    end
    return notify(method, params)
  end
end

--- What the server answers to these would be put into other lines.
local EDITS = {
  ['textDocument/codeAction'] = true,
  ['textDocument/completion'] = true,
  ['textDocument/formatting'] = true,
  ['textDocument/rangeFormatting'] = true,
  ['textDocument/onTypeFormatting'] = true,
}

--- Whether a request asks for edits in a text that has such a line end.
---@param method string
---@param params table
---@return boolean
function M.unanswerable(method, params)
  return EDITS[method] == true and M.lone(vim.uri_to_bufnr(params.textDocument.uri))
end

return M
