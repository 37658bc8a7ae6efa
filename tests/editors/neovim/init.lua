-- The configuration of a writer, for tests that look at the screen.
local here = vim.fs.dirname(vim.fs.normalize(debug.getinfo(1, 'S').source:sub(2)))
vim.opt.runtimepath:prepend(vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(here))) .. '/clients/neovim')
vim.o.swapfile = false
vim.o.statusline = "%f %m%=%{v:lua.require'inkwright'.statusline()} %l:%c"
vim.g.inkwright = { cmd = vim.json.decode(vim.env.INKWRIGHT_TEST_SERVER), locale = 'zh' }
vim.lsp.enable('inkwright')
