-- A window over the text.
local M = {}

local cells = require('inkwright.width')

--- Closes such a window, where it is the one in front: what is typed in it is about what it was opened over.
function M.leave()
  if vim.b.inkwright_float then
    vim.cmd.close()
  end
end

--- Puts lines above what such a window shows, while it is open, and makes room for them.
---@param buffer integer
---@param lines string[]
function M.put(buffer, lines)
  if not vim.api.nvim_buf_is_valid(buffer) then
    return
  end
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, 0, true, lines)
  vim.bo[buffer].modifiable = false
  for _, win in ipairs(vim.fn.win_findbuf(buffer)) do
    vim.api.nvim_win_set_cursor(win, { 1, 0 })
    local rows = vim.api.nvim_win_text_height(win, {}).all
    vim.api.nvim_win_set_height(win, math.max(math.min(rows, vim.o.lines - 6), 1))
  end
end

--- Lines in a window over the text; `q` closes it.
---@param title string
---@param lines string[]
---@return integer buffer
function M.open(title, lines)
  M.leave()
  local most = math.max(vim.o.columns - 4, 1)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].modifiable = true -- whatever is set for all
  vim.api.nvim_buf_set_lines(buffer, 0, -1, true, lines)
  vim.bo[buffer].bufhidden = 'wipe'
  vim.b[buffer].inkwright_float = true
  vim.bo[buffer].modifiable = false
  local width = 30
  for _, line in ipairs(lines) do
    width = math.max(width, vim.fn.strdisplaywidth(line))
  end
  width = math.min(width + 1, most)
  local rows = 0
  for _, line in ipairs(lines) do
    rows = rows + math.max(1, math.ceil(vim.fn.strdisplaywidth(line) / width))
  end
  local height = math.max(math.min(rows, vim.o.lines - 6), 1)
  local win = vim.api.nvim_open_win(buffer, true, {
    relative = 'editor',
    style = 'minimal',
    border = 'rounded',
    title = ' ' .. cells.fit(cells.flat(title), width - 4) .. ' ',
    width = width,
    height = height,
    row = math.max(0, math.floor((vim.o.lines - height) / 2) - 1),
    col = math.max(0, math.floor((vim.o.columns - width) / 2)),
  })
  vim.wo[win].wrap = true
  vim.wo[win].linebreak = true
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = buffer, nowait = true })
  vim.keymap.set('n', '<Esc>', '<Cmd>close<CR>', { buffer = buffer, nowait = true })
  return buffer
end

return M
