-- The command; everything behind it is loaded when it is first used.
if vim.g.loaded_inkwright then
  return
end
vim.g.loaded_inkwright = true

if vim.fn.has('nvim-0.11') == 0 then
  vim.notify('Inkwright needs Neovim 0.11 or newer / Inkwright 需要 Neovim 0.11 或更新版本', vim.log.levels.ERROR)
  return
end

vim.filetype.add({ pattern = { ['.*/content/%x+%.nwd'] = 'markdown' } })

vim.api.nvim_create_user_command('Inkwright', function(given)
  require('inkwright.commands').run(given)
end, {
  nargs = '*',
  range = true,
  bang = true,
  desc = 'Inkwright',
  complete = function(lead, line, _)
    return require('inkwright.commands').complete(lead, line)
  end,
})
