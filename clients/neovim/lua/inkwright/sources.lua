-- The text that a window is about: what is typed in one of the plugin's own is about the chapter that it came from.
local M = {}

---@type integer? the chapter or card that the writer was in last
local last

--- The writer is in a buffer that the server holds.
---@param bufnr integer
function M.came_to(bufnr)
  last = bufnr
end

--- The chapter or card that the writer was in last, while it is open.
---@return integer?
function M.last()
  return last and vim.api.nvim_buf_is_loaded(last) and last or nil
end

--- Whether a buffer is one that the plugin shows something in, and no text of the writer's: what is typed there is about
--- the chapter that they came from.
---@param bufnr integer
---@return boolean
function M.is_shown(bufnr)
  local bo, name = vim.bo[bufnr], vim.api.nvim_buf_get_name(bufnr)
  return vim.b[bufnr].inkwright_float
    or bo.buftype == 'quickfix'
    or bo.filetype == 'checkhealth'
    or (bo.buftype == 'help' and vim.fs.basename(name) == 'inkwright.txt')
    or vim.startswith(name, 'inkwright://')
    or name == vim.lsp.log.get_filename()
end

--- The document that a buffer is about: a run's split, the right side of a review and a page are about theirs, the other
--- windows that the plugin shows about the one that the writer was in last.
---@param bufnr? integer
---@return integer bufnr
function M.of(bufnr)
  bufnr = bufnr or vim.api.nvim_get_current_buf()
  local source = vim.api.nvim_buf_is_valid(bufnr) and vim.b[bufnr].inkwright_source
  if source and vim.api.nvim_buf_is_loaded(source) then
    return source
  end
  local shown = vim.api.nvim_buf_is_valid(bufnr) and (source or M.is_shown(bufnr))
  return shown and M.last() or bufnr
end

return M
