-- A chapter is polished with the offline engine and reviewed hunk by hunk.
local t = dofile(vim.fs.dirname(arg[0]) .. '/driver.lua')
t.start({ locale = 'zh' })

local CHAPTER = table.concat({
  '---',
  'title: 渡口',
  '---',
  '# 第一章 渡口',
  '',
  '　　林夏到的时候,船已经走了。她站在渡口，看看江水。。天黑了。',
  '',
  '　　“再等等。”周衡说。他的的确走得很远，很远!',
  '',
  '　　😀𠮷野来了,他没有说话。',
  '',
}, '\n')

local path = t.write('第一卷/第001章 渡口 100%.md', CHAPTER)
t.open(path)
local source = vim.api.nvim_get_current_buf()
local before = t.text()

t.test('the live split shows the text while it comes, and all of it', function()
  local ended = t.run('Inkwright polish')
  t.eq('completed', ended.result.status)
  t.eq(ended.result.text, table.concat(ended.run.text))
  t.eq('done', ended.run.ended)
  local live = ended.run.view
  t.eq(ended.result.text, t.text(live))
  t.eq(before, t.text(source))
end)

t.test('the review opens: the chapter beside the chapter with every hunk in it', function()
  local view = t.review()
  t.match('林夏到的时候，船', t.text(view.buf))
  t.match('𠮷野来了，他', t.text(view.buf))
  t.eq(true, vim.wo[view.win].diff)
  t.eq(view.win, vim.api.nvim_get_current_win())
  t.match('a 接受', vim.wo[view.win].winbar)
  t.eq(before, t.text(source))
end)

t.test('one hunk is accepted, and only that', function()
  local view = t.review()
  local function bar()
    local _, win = t.shown('run')
    return vim.wo[win].winbar
  end
  local waits = bar()
  t.cursor('𠮷野来了')
  local verdict = t.event('InkwrightDecided', function()
    t.keys('a')
  end)
  t.eq(1, #verdict.applied)
  t.eq((before:gsub('𠮷野来了,', '𠮷野来了，')), t.text(source))
  t.match('接受 1 处', t.messages())
  t.match('有 %d+ 处修改等你决定', waits)
  local left = tonumber(waits:match('有 (%d+) 处')) - 1
  t.wait('the bar of the run', function()
    return bar():find(('有 %d 处修改等你决定'):format(left), 1, true)
  end)
  t.eq(true, vim.api.nvim_buf_is_valid(view.buf))
end)

t.test('one undo takes it back', function()
  vim.api.nvim_buf_call(source, function()
    vim.cmd.undo()
  end)
  t.eq(before, t.text(source))
  vim.api.nvim_buf_call(source, function()
    vim.cmd.redo()
  end)
end)

t.test('undo and redo in a review are about the chapter: what is taken back waits again', function()
  local held = t.text(source)
  local view = t.review()
  local function waits()
    return tonumber(vim.wo[view.win].winbar:match('剩 (%d+) 处'))
  end
  local left = waits()
  t.keys('u')
  t.wait('the hunk to wait again', function()
    return t.text(source) == before and waits() == left + 1
  end)
  t.keys('<C-r>')
  t.wait('it to be accepted again', function()
    return t.text(source) == held and waits() == left
  end)
end)

t.test('one hunk is rejected: the chapter stays, the review shows it no more', function()
  local held = t.text(source)
  t.review()
  t.cursor('很远')
  local verdict = t.event('InkwrightDecided', function()
    t.keys('r')
  end)
  t.eq(1, #verdict.rejected)
  t.eq(held, t.text(source))
  t.review(function(text)
    return text:find('很远!', 1, true)
  end)
end)

t.test('all the others are accepted at once, and one undo takes them back', function()
  local held = t.text(source)
  local verdict = t.event('InkwrightDecided', function()
    t.keys('A')
  end)
  t.eq(true, #verdict.applied >= 1)
  t.match('林夏到的时候，船', t.text(source))
  t.no_review()
  local done = t.text(source)
  vim.cmd.buffer(source)
  vim.cmd.undo()
  t.eq(held, t.text(source))
  vim.cmd.redo()
  t.eq(done, t.text(source))
end)

t.test('each acceptance is an undo of its own', function()
  local other = t.write('第003章.md', '他走了,她来了。\n\n天黑了,下雨了。\n')
  t.open(other)
  local here = vim.api.nvim_get_current_buf()
  t.run('Inkwright polish')
  local view = t.review()
  for left = 2, 1, -1 do
    t.wait('the review to go on to the next hunk', function()
      return vim.wo[view.win].winbar:find('剩 ' .. left, 1, true)
    end)
    t.event('InkwrightDecided', function()
      t.keys('a')
    end)
  end
  t.no_review()
  vim.cmd.buffer(here)
  vim.cmd.undo()
  t.eq('他走了，她来了。\n\n天黑了,下雨了。', t.text(here))
  vim.cmd.undo()
  t.eq('他走了,她来了。\n\n天黑了,下雨了。', t.text(here))
  vim.cmd.buffer(source)
end)

t.test('keys that are pressed one upon the other are about one hunk after the other', function()
  t.open(t.write('第004章.md', '他走了,她来了。\n\n天黑了,下雨了。\n\n灯灭了,风停了。\n'))
  local here = vim.api.nvim_get_current_buf()
  t.run('Inkwright polish')
  t.review()
  t.messages()
  t.keys('aar')
  t.no_review()
  t.eq('他走了，她来了。\n\n天黑了，下雨了。\n\n灯灭了,风停了。', t.text(here))
  assert(not t.messages():find('没有做', 1, true))
  vim.cmd.buffer(source)
end)

t.test('what is left: a second run proposes nothing but what was rejected', function()
  local ended = t.run('Inkwright polish')
  local left = ended.result.proposal and ended.result.proposal.hunks or {}
  t.eq(1, #left)
  t.match('很远!', left[1].before)
  t.review()
  t.event('InkwrightDecided', function()
    vim.cmd('Inkwright reject all')
  end)
  t.no_review()
end)

t.test('a selection is polished by itself, to the character', function()
  vim.cmd.buffer(source)
  vim.api.nvim_buf_set_lines(source, -1, -1, true, { '甲来了,乙走了,丙笑了。' })
  t.cursor('乙')
  t.keys('v4l<Esc>')
  local ended = t.run("'<,'>Inkwright polish")
  t.eq('乙走了,丙', ended.result.proposal.hunks[1].before)
  t.eq(1, #ended.result.proposal.hunks)
  t.review()
  t.event('InkwrightDecided', function()
    t.keys('A')
  end)
  t.no_review()
  t.match('甲来了,乙走了，丙笑了。', t.text(source))
end)

t.test('hunks that wait are drawn within the chapter, gone to, decided there, and not in its text', function()
  vim.cmd.tabonly()
  vim.cmd.buffer(source)
  vim.api.nvim_buf_set_lines(source, -1, -1, true, { '子来了,丑走了。', '寅笑了,卯哭了。' })
  local held = t.text(source)
  t.run('Inkwright polish')
  t.review()
  local space = vim.api.nvim_get_namespaces()['inkwright.hunks']
  local function drawn()
    local out = {}
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(source, space, 0, -1, { details = true })) do
      local d = mark[4]
      if d.virt_text then
        table.insert(out, '+' .. d.virt_text[1][1])
      elseif d.end_col and not d.virt_lines then
        table.insert(out, '-' .. vim.api.nvim_buf_get_text(source, mark[2], mark[3], d.end_row, d.end_col, {})[1])
      end
    end
    return table.concat(out, ' ')
  end
  t.eq('', drawn()) -- the review shows both texts
  t.keys('q')
  t.wait('the hunks', function()
    return drawn():match('%-, %+， %-, %+，$')
  end)
  t.eq(held, t.text(source))
  vim.cmd('Inkwright inline off')
  t.eq('', drawn())
  vim.cmd('Inkwright inline on')
  local count = t.wait('they are drawn again', function()
    return drawn() ~= '' and require('inkwright.hunks').count(source)
  end)
  t.cursor('寅')
  vim.cmd('Inkwright previous')
  t.wait('the line above', function()
    return vim.api.nvim_get_current_line():find('丑', 1, true)
  end)
  t.event('InkwrightDecided', function()
    vim.cmd('Inkwright accept')
  end)
  t.wait('one less', function()
    return require('inkwright.hunks').count(source) == count - 1
  end)
  t.match('子来了，丑走了', t.text(source))
  vim.cmd('Inkwright next')
  t.wait('the other line', function()
    return vim.api.nvim_get_current_line():find('寅', 1, true)
  end)
  t.event('InkwrightDecided', function()
    vim.cmd('Inkwright reject all')
  end)
  t.wait('none', function()
    return drawn() == ''
  end)
end)

t.test('of a long rewrite the text stands below, broken to fit, with its warnings', function()
  local drawing = require('inkwright.drawing')
  local buf = vim.api.nvim_create_buf(false, true)
  local space = vim.api.nvim_create_namespace('test')
  vim.api.nvim_buf_set_lines(buf, 0, -1, true, { '林夏走了。天黑了。' })
  local new = ('渡口的灯一盏一盏亮起来。'):rep(5)
  local hunk = {
    index = 0,
    before = '林夏走了。',
    after = new,
    findings = { { code = 'x', message = '少了人名“林夏”' } },
  }
  drawing.hunk(buf, space, hunk, { line = 0, col = 0, end_line = 0, end_col = #'林夏走了。' }, 20)
  local under = {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buf, space, 0, -1, { details = true })) do
    for _, line in ipairs(mark[4].virt_lines or {}) do
      table.insert(under, line[1][1])
      assert(vim.api.nvim_strwidth(line[1][1]) <= 20)
    end
  end
  t.match('⚠ 少了人名', table.concat(under))
  t.match('渡口的灯一盏一盏亮起来', table.concat(under))
end)

t.test('code actions run abilities with the split and the review', function()
  vim.cmd.buffer(source)
  local line = vim.api.nvim_buf_line_count(source)
  vim.api.nvim_win_set_cursor(0, { line, 0 })
  local ended = t.event('InkwrightRunEnded', function()
    t.code_action('润色')
  end)
  t.eq('polish', ended.result.ability)
  t.review()
end)

t.test('a hunk is accepted by its code action in the chapter', function()
  vim.cmd.tabfirst()
  vim.cmd.buffer(source)
  t.cursor('甲来了')
  local verdict = t.event('InkwrightDecided', function()
    t.code_action('甲来了')
  end)
  t.eq(1, #verdict.applied)
  t.match('甲来了，乙走了，丙笑了。', t.text(source))
  t.event('InkwrightDecided', function()
    vim.cmd('Inkwright reject all')
  end)
  t.no_review()
end)

t.test('the file on the disk was never written', function()
  t.eq(CHAPTER, t.read(path))
end)

t.test('a writing run without a model says that it needs one', function()
  t.messages()
  local ended = t.run('Inkwright write 下一章的大纲')
  t.eq('failed', ended.result.status)
  t.eq('needs_model', ended.result.stopReason)
  t.match('失败', t.messages())
end)

t.test('an analysis is a report in the split', function()
  local ended = t.run('Inkwright analyse')
  t.eq('completed', ended.result.status)
  local text = vim.api.nvim_buf_get_lines(ended.run.view, vim.b[ended.run.view].inkwright_details, -1, true)
  t.eq(ended.result.text, table.concat(text, '\n'))
  t.eq(nil, ended.result.proposal)
end)

t.test('a review goes with its chapter, and nothing is kept of it', function()
  t.open(t.write('第一卷/第008章.md', '# 八\n\n　　林夏到的时候,船走了。。\n'))
  local chapter = vim.api.nvim_get_current_buf()
  t.run('Inkwright polish')
  local view = t.review()
  vim.cmd.bwipeout({ count = chapter, bang = true })
  t.no_review()
  t.eq(false, vim.api.nvim_buf_is_valid(view.buf))
  t.eq(0, require('inkwright.hunks').count(chapter))
  t.eq({}, require('inkwright.view').all(chapter))
end)

t.test('CRLF, no final newline and indentation stay', function()
  local crlf = t.write('第002章.md', '　　他走了,她来了。\r\n\r\n　　天黑了,下雨了。')
  t.open(crlf)
  vim.bo.fixendofline = false -- else Neovim itself would add one
  local here = vim.api.nvim_get_current_buf()
  t.run('Inkwright polish')
  t.review()
  t.event('InkwrightDecided', function()
    t.keys('A')
  end)
  t.no_review()
  vim.cmd.buffer(here)
  vim.cmd.write()
  t.eq('　　他走了，她来了。\r\n\r\n　　天黑了，下雨了。', t.read(crlf))
end)

t.finish()
