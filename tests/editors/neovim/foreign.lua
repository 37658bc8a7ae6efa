-- Texts that the server does not hold: nothing of them is sent or changed, whatever else is open.
local t = dofile(vim.fs.dirname(arg[0]) .. '/driver.lua')
t.start({ locale = 'zh', review = 'none' })

local CHAPTER = '# 渡口\n\n他走了,她来了。\n'
local SECRET = 'KEY=秘密,不给人看。\n'

local chapter = t.write('第一章.md', CHAPTER)
local server = t.open(chapter)

--- What the server is asked to execute, but for what it is asked of the chapter that was opened.
local asked = {}
local request = server.rpc.request
server.rpc.request = function(method, params, ...)
  local uri = params and params.arguments and params.arguments[1].uri
  if method == 'workspace/executeCommand' and uri ~= vim.uri_from_fname(chapter) then
    table.insert(asked, params.command)
  end
  return request(method, params, ...)
end

local function said(pattern)
  t.wait('the message ' .. pattern, function()
    return vim.iter(t.said):any(function(one)
      return one.message:find(pattern, 1, true) ~= nil
    end)
  end)
  t.messages()
end

local TEXTUAL = {
  'polish',
  'write 写',
  'analyse',
  'research 渡口',
  'run shorten',
  'run summary',
  'actions',
  'pipeline',
  'resume',
  'follow 再短些',
  'accept',
  'accept all',
  'reject',
  'reject all',
  'review',
  'next',
  'previous',
  'context',
  'summary',
  'card character 林夏',
  'book create',
} -- stylua: ignore

for _, name in ipairs({ 'a.tex', 'app.env', '' }) do
  t.test('no command that is about a text is about ' .. (name == '' and 'a text without a file' or name), function()
    if name == '' then
      vim.cmd.enew()
      vim.api.nvim_buf_set_lines(0, 0, -1, true, { '他走了,她来了。' })
    else
      vim.cmd.edit(vim.fn.fnameescape(t.write(name, SECRET)))
    end
    local here, before = vim.api.nvim_get_current_buf(), t.text()
    asked = {}
    for _, command in ipairs(TEXTUAL) do
      vim.cmd('Inkwright ' .. command)
      said(name == '' and '请先存成 Markdown 章节' or '没有做：' .. name)
      t.eq(here, vim.api.nvim_get_current_buf())
    end
    t.eq({}, asked)
    t.eq(before, t.text())
    vim.cmd('bwipeout!')
  end)
end

t.test('what a chapter has waiting is not accepted into another file', function()
  vim.cmd.edit(vim.fn.fnameescape(chapter))
  t.eq(1, #t.run('Inkwright polish').result.proposal.hunks)
  vim.cmd.edit(vim.fn.fnameescape(t.write('b.tex', CHAPTER)))
  t.messages()
  vim.cmd('Inkwright accept all')
  said('没有做：b.tex')
  t.eq(CHAPTER, t.text() .. '\n')
  vim.cmd('bwipeout!')
end)

t.test('what is about no text is done from anywhere, about the book', function()
  vim.cmd.edit(vim.fn.fnameescape(t.write('c.tex', SECRET)))
  local shown
  local select = vim.ui.select
  vim.ui.select = function(rows, options)
    shown = #rows > 0 and options.kind
  end
  for command, kind in pairs({ runs = 'run', chapters = 'chapter', models = 'model', memories = 'memory' }) do
    shown = nil
    vim.cmd('Inkwright ' .. command)
    t.wait(command, function()
      return shown == 'inkwright.' .. kind
    end)
  end
  vim.ui.select = select
  vim.cmd('bwipeout!')
end)

t.test('a proposal that is chosen from the list is opened in its chapter', function()
  vim.cmd('silent! %bwipeout!')
  vim.cmd.edit(vim.fn.fnameescape(t.write('d.tex', SECRET)))
  local select = vim.ui.select
  vim.ui.select = function(rows, _, choose)
    choose(rows[1])
  end
  vim.cmd('Inkwright proposals')
  t.review(function(text)
    return text:find('他走了，她来了。', 1, true)
  end)
  vim.ui.select = select
  t.keys('q')
end)

t.test('a server that was killed: every command says how it is started again', function()
  vim.cmd('silent! %bwipeout!')
  local client = t.open(chapter)
  t.wait('the hunks', function()
    return require('inkwright.hunks').count(vim.api.nvim_get_current_buf()) == 1
  end)
  t.kill()
  t.wait('its end', function()
    return client:is_stopped() and #vim.lsp.get_clients() == 0
  end)
  said(':Inkwright restart')
  for _, command in ipairs({ 'polish', 'accept', 'runs', 'memories' }) do
    vim.cmd('Inkwright ' .. command)
    said(':Inkwright restart')
  end
  vim.cmd('Inkwright restart')
  t.wait('the server', function()
    return #vim.lsp.get_clients({ bufnr = 0 }) == 1
  end)
end)

t.finish()
