-- A carriage return within a line: the server counts it as a line end and Neovim does not. Nothing is put into other lines.
local t = dofile(vim.fs.dirname(arg[0]) .. '/driver.lua')
t.start({ locale = 'zh', review = 'none' })
local hunks = require('inkwright.hunks')

local function said(pattern)
  t.wait('the message ' .. pattern, function()
    return vim.iter(t.said):any(function(one)
      return one.message:find(pattern, 1, true) ~= nil
    end)
  end)
  t.messages()
end

local LINES =
  { '# 渡口', '', '他走了。\r她来了。', '', '天黑了,下雨了。', '', '灯灭了,风停了。' }

--- What is typed there, and what it is told.
local function refused(command)
  local before = t.text()
  vim.cmd('Inkwright ' .. command)
  said('夹着回车')
  t.eq(before, t.text())
end

for _, one in ipairs({
  { name = '内.md', text = table.concat(LINES, '\n') .. '\n', cure = [[:%s/\r/\r/g]] },
  {
    name = '末.md',
    text = '# 渡口\n\n他走了。\r\r\n天黑了,下雨了。\r\n灯灭了,风停了。\n',
    cure = [[:%s/\r\ze./\r/g]],
  },
}) do
  t.test('nothing is rewritten in a text that has one, and what to do is right: ' .. one.name, function()
    local path = t.write(one.name, one.text)
    t.open(path)
    local before = t.text()
    for _, command in ipairs({ 'polish', 'run continue 续', 'accept', 'accept all', 'reject', 'review', 'next' }) do
      refused(command)
    end
    t.eq('completed', t.run('Inkwright analyse').result.status)
    t.eq(before, t.text())
    vim.lsp.buf.code_action()
    said(one.cure)
    vim.cmd(one.cure:sub(2))
    local held = t.text()
    local ended = t.run('Inkwright polish')
    t.eq(2, #ended.result.proposal.hunks)
    t.event('InkwrightDecided', function()
      vim.cmd('Inkwright accept all')
    end)
    t.eq((held:gsub(',', '，')), t.text())
    vim.cmd('silent! %bwipeout!')
  end)
end

t.test(
  'one that is typed while hunks wait: they are drawn no more and not accepted; once it has gone they are',
  function()
    t.open(
      t.write('后.md', '# 渡口\n\n他走了。她来了。\n\n天黑了,下雨了。\n\n灯灭了,风停了。\n')
    )
    local here, before = vim.api.nvim_get_current_buf(), t.text()
    t.eq(2, #t.run('Inkwright polish').result.proposal.hunks)
    t.wait('the hunks', function()
      return hunks.count(here) == 2
    end)
    vim.api.nvim_buf_set_text(here, 2, 12, 2, 12, { '\r' })
    hunks.refresh(here)
    t.wait('no hunks', function()
      return hunks.count(here) == 0
    end)
    t.messages()
    refused('accept all')
    refused('next')
    vim.api.nvim_buf_set_text(here, 2, 12, 2, 13, { '' })
    t.eq(before, t.text())
    t.event('InkwrightDecided', function()
      vim.cmd('Inkwright accept all')
    end)
    t.eq((before:gsub(',', '，')), t.text())
    vim.cmd('silent! %bwipeout!')
  end
)

t.test('a name is not changed in a chapter that has one, and it is said which; in the others it is', function()
  local other = t.write('他章.md', '# 他章\n\n风。\r雨。林夏来了。\n')
  t.write('cards/林夏.md', '---\ntype: character\n---\n\n船工。\n')
  t.open(t.write('本章.md', '# 本章\n\n林夏走了。\n'))
  t.wait('the card', function()
    t.cursor('林夏')
    local server = vim.lsp.get_clients({ bufnr = 0 })[1]
    local found =
      server:request_sync('textDocument/hover', vim.lsp.util.make_position_params(0, server.offset_encoding))
    return found and found.result
  end)
  t.messages()
  vim.lsp.buf.rename('林晚')
  t.wait('the name', function()
    return t.text() == '# 本章\n\n林晚走了。'
  end)
  said('他章.md')
  t.eq('# 他章\n\n风。\r雨。林夏来了。\n', t.read(other))
end)

t.test('a text whose lines all end so is like any other', function()
  t.open(t.write('混.md', '# 混\r\n\r\n他走了,她来了。\r\n\n天黑了,下雨了。\n'))
  t.eq('unix', vim.bo.fileformat)
  local before = t.text()
  t.eq(2, #t.run('Inkwright polish').result.proposal.hunks)
  t.event('InkwrightDecided', function()
    vim.cmd('Inkwright accept all')
  end)
  t.eq((before:gsub(',', '，')), t.text())
end)

t.finish()
