-- The command and its <Plug> maps; everything behind them is loaded when it is first used.
if vim.g.loaded_inkwright then
  return
end
vim.g.loaded_inkwright = true

if vim.fn.has('nvim-0.11') == 0 then
  vim.notify(
    'Inkwright needs Neovim 0.11 or newer / Inkwright 需要 Neovim 0.11 或更新版本',
    vim.log.levels.ERROR
  )
  return
end

vim.api.nvim_create_user_command('Inkwright', function(given)
  require('inkwright.commands').run(given)
end, {
  nargs = '*',
  range = true,
  desc = 'Inkwright',
  complete = function(lead, line, _)
    return require('inkwright.commands').complete(lead, line)
  end,
})

-- <Plug>(inkwright-NAME) for each command and these of two words; those of the first line take a selection too.
local selecting = 'polish write analyse research run actions context accept reject'
local others = 'accept-all reject-all pipeline pipeline-resume resume follow cancel live review diff inline next prev previous'
  .. ' proposals candidates memories memories-add intended search summary threads book book-create sample chapter chapters'
  .. ' cards card runs models usage goals stats report prose new messages restart log'
for name in vim.gsplit(selecting .. ' ' .. others, ' ') do
  local words = name:gsub('-', ' ')
  vim.keymap.set('n', ('<Plug>(inkwright-%s)'):format(name), ('<Cmd>Inkwright %s<CR>'):format(words))
end
for name in vim.gsplit(selecting, ' ') do
  vim.keymap.set('x', ('<Plug>(inkwright-%s)'):format(name), (':Inkwright %s<CR>'):format(name), { silent = true })
end
