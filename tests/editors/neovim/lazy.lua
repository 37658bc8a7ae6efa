-- The configuration of a writer who loads plugins late, as lazy.nvim does it for
--   { dir = …, ft = { 'markdown', 'text' }, cmd = 'Inkwright', opts = { … } }
-- Neovim's own loading is off; the plugin comes on the runtimepath when its file type or its command is first met, its
-- plugin/ files are sourced by hand, setup() gets the options, and what was met is told again.
local here = vim.fs.dirname(vim.fs.normalize(debug.getinfo(1, 'S').source:sub(2)))
local dir = vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(here))) .. '/clients/neovim'
vim.go.loadplugins = false
vim.o.swapfile = false
vim.cmd('filetype plugin on')
vim.o.statusline = "%f %m%=%{exists('g:loaded_inkwright') ? v:lua.require'inkwright'.statusline() : ''} %l:%c"

local loaded = false
local function load()
  if loaded then
    return
  end
  loaded = true
  pcall(vim.api.nvim_del_user_command, 'Inkwright')
  vim.opt.runtimepath:prepend(dir)
  for _, file in ipairs(vim.fn.globpath(dir, 'plugin/**/*.lua', false, true)) do
    vim.cmd.source(vim.fn.fnameescape(file))
  end
  require('inkwright').setup({ cmd = vim.json.decode(vim.env.INKWRIGHT_TEST_SERVER), locale = 'zh' })
end

vim.api.nvim_create_user_command('Inkwright', function(given)
  load()
  vim.cmd.Inkwright({ args = given.fargs })
end, { nargs = '*', range = true })

vim.api.nvim_create_autocmd('FileType', {
  pattern = { 'markdown', 'text' },
  once = true,
  callback = function(ev)
    load()
    vim.api.nvim_exec_autocmds('FileType', { buffer = ev.buf, group = 'nvim.lsp.enable', modeline = false })
  end,
})
