-- Neovim 0.11's own configuration: `vim.lsp.enable('inkwright')` is all that is needed.
return require('inkwright.client').config()
