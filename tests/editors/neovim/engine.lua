-- Pipelines and their cards, memories, candidates, further messages, search, summaries: with the offline engine.
local t = dofile(vim.fs.dirname(arg[0]) .. '/driver.lua')
t.start({ locale = 'zh' })

local CHAPTER = table.concat({
  '# 第一章 雨夜',
  '',
  '林晚秋推开门，雨还在下。她握着一把旧剑，剑鞘上刻着“不悔”二字。周衡说：“你终于来了。”',
  '',
  '十年前，周衡在渡口救过她的命，又在同一个渡口卖了她的师父。她记得那一夜的灯，一盏一盏地灭了。',
  '',
  '“你师父留下一封信。”周衡把信放在桌上，“他要你去青石镇，找一个姓沈的铁匠。”',
  '',
}, '\n')

t.write('拆书/book.toml', 'title = "拆书"\ntype = "breakdown"\n')
local path = t.write('拆书/第一章 雨夜.md', CHAPTER)
local novel = t.write('小说/第一章.md', CHAPTER)
t.write('小说/book.toml', 'title = "小说"\ntype = "novel"\n')
t.open(path)
local source = vim.api.nvim_get_current_buf()

--- Chooses by parts of labels, in this order, in the lists that come; one more that comes is left. Returns the
--- labels of the last list. `lists` is how many must have come, without a number all and one more.
local function choosing(labels, act, typed, lists)
  lists = lists or #labels + 1
  local select, input = vim.ui.select, vim.ui.input
  local at, last = 0, nil
  vim.ui.select = function(items, opts, choose)
    at = at + 1
    last = vim.tbl_map(opts.format_item or tostring, items)
    local wanted = labels[at]
    for index, label in ipairs(last) do
      if wanted and label:find(wanted, 1, true) then
        vim.schedule(function()
          choose(items[index], index)
        end)
        return
      end
    end
    choose(nil)
  end
  vim.ui.input = function(_, done)
    done(typed)
  end
  act()
  local ok, err = pcall(t.wait, 'list ' .. lists, function()
    return at >= lists
  end)
  vim.ui.select, vim.ui.input = select, input
  if not ok then
    error(err .. vim.inspect(last), 2)
  end
  return last
end

local function memories()
  return table.concat(
    choosing({}, function()
      vim.cmd('Inkwright memories')
    end),
    '\n'
  )
end

local function said(pattern)
  t.wait('the message ' .. pattern, function()
    return vim.iter(t.said):any(function(one)
      return one.message:find(pattern) ~= nil
    end)
  end)
  return t.messages()
end

t.test('the pipeline of a breakdown: its steps stand in the bar, its cards are files', function()
  local ended = t.run('Inkwright pipeline')
  t.eq('completed', ended.result.status)
  t.eq(ended.result.text, table.concat(ended.run.text))
  t.eq(true, #ended.result.cards > 0)
  local files = t.wait('the cards in the quickfix list', function()
    local list = vim.fn.getqflist()
    return #list == #ended.result.cards and list
  end)
  for _, entry in ipairs(files) do
    local card = t.read(vim.api.nvim_buf_get_name(entry.bufnr))
    for quote in card:gmatch('\n> ([^\n]+)') do
      assert(CHAPTER:find(quote, 1, true), quote)
    end
  end
  t.match('✓ 制卡', vim.wo[vim.fn.win_findbuf(ended.run.view)[1]].winbar)
  said(':copen')
  t.eq(CHAPTER, t.read(path))
end)

t.test('a second time makes no second card', function()
  local before = vim.fn.glob(vim.fs.dirname(path) .. '/cards/*', false, true)
  t.run('Inkwright pipeline')
  t.eq(before, vim.fn.glob(vim.fs.dirname(path) .. '/cards/*', false, true))
end)

t.test('what a message says is remembered, and seen, edited, pinned and deleted', function()
  t.run('Inkwright analyse 我喜欢短句，少用形容词')
  t.wait('the memory', function()
    return memories():find('短句', 1, true)
  end)
  t.messages()
  choosing({ '短句', '编辑' }, function()
    vim.cmd('Inkwright memories')
  end, '我喜欢长句')
  t.match('长句', memories())
  local seen = table.concat(
    choosing({ '长句', '置顶' }, function()
      vim.cmd('Inkwright memories')
    end),
    '\n'
  )
  t.match('%[置顶%] 我喜欢长句', seen)
  choosing({ '决定' }, function()
    vim.cmd('Inkwright memories add 主角不会死')
    t.wait('it is kept', function()
      return memories():find('主角不会死', 1, true)
    end)
  end, nil, 1)
  choosing({ '长句', '删除' }, function()
    vim.cmd('Inkwright memories')
  end)
  local left = memories()
  assert(not left:find('长句', 1, true), left)
  t.match('主角不会死', left)
end)

t.test('a memory that was changed elsewhere meanwhile stays, and the list shows it as it is', function()
  local client = require('inkwright.client')
  local uri = vim.uri_from_bufnr(source)
  local seen
  client.execute('inkwright.listMemories', { uri = uri }, function(page)
    seen = page.memories[1]
  end)
  t.wait('the memory', function()
    return seen
  end)
  local select, at = vim.ui.select, 0
  vim.ui.select = function(items, opts, choose)
    at = at + 1
    if at == 1 then -- between the list and what is done with it somebody else is quicker
      local done
      client.execute('inkwright.updateMemory', { uri = uri, id = seen.id, content = '主角会死' }, function()
        done = true
      end)
      t.wait('the other change', function()
        return done
      end)
      choose(items[1])
    elseif at == 2 then
      choose(items[3])
    else
      at = opts.format_item(items[1])
      choose(nil)
    end
  end
  t.messages()
  vim.cmd('Inkwright memories')
  t.wait('the list anew', function()
    return type(at) == 'string'
  end)
  vim.ui.select = select
  t.match('主角会死', at)
  t.match('请求失败', t.messages())
end)

t.test('a memory of two lines is edited on one, and stays as it is when nothing is typed', function()
  local client = require('inkwright.client')
  local uri, kept = vim.uri_from_bufnr(source), nil
  client.execute('inkwright.addMemory', { uri = uri, content = '对话多一点\n结尾留白' }, function(memory)
    kept = memory
  end)
  t.wait('the memory', function()
    return kept
  end)
  local select, input, at, shown = vim.ui.select, vim.ui.input, 0, nil
  vim.ui.select = function(items, opts, choose)
    at = at + 1
    for index, item in ipairs(items) do
      if at < 3 and opts.format_item(item):find(at == 1 and '结尾留白' or '编辑', 1, true) then
        choose(item, index)
        return
      end
    end
    choose(nil)
  end
  vim.ui.input = function(opts, done)
    shown = opts.default
    done(opts.default)
  end
  vim.cmd('Inkwright memories')
  t.wait('the list anew', function()
    return at >= 3
  end)
  vim.ui.select, vim.ui.input = select, input
  t.eq('对话多一点 结尾留白', shown)
  local now
  client.execute('inkwright.listMemories', { uri = uri }, function(page)
    now = vim.iter(page.memories):find(function(memory)
      return memory.id == kept.id
    end)
  end)
  t.wait('the memory', function()
    return now
  end)
  t.eq({ kept.content, kept.revision }, { now.content, now.revision })
  choosing({ '结尾留白', '删除' }, function()
    vim.cmd('Inkwright memories')
  end)
end)

t.test('all is forgotten only when the writer is sure', function()
  choosing({ '全部清除', '不清除' }, function()
    vim.cmd('Inkwright memories')
  end)
  t.match('主角会死', memories())
  choosing({ '全部清除', '全部清除' }, function()
    vim.cmd('Inkwright memories')
  end)
  assert(not memories():find('主角', 1, true))
end)

t.test('a further message knows what was said', function()
  local first = t.run('Inkwright analyse 节奏如何')
  vim.api.nvim_set_current_win(vim.fn.win_findbuf(first.run.view)[1]) -- from the answer too
  local ended = t.run('Inkwright follow 再说说对白')
  t.eq('completed', ended.result.status)
  t.eq('analysis', ended.result.ability)
  t.eq(source, ended.run.source)
  vim.cmd.wincmd('p')
  choosing({ '内容分析', '模型看到的内容' }, function()
    vim.cmd('Inkwright runs')
    t.wait('the page', function()
      return t.text():find('再说说对白', 1, true) and t.text():find('节奏如何', 1, true)
    end)
    vim.cmd.close()
  end, nil, 2)
end)

t.test('the context page of the pipeline, before it runs', function()
  vim.api.nvim_set_current_win(vim.fn.win_findbuf(source)[1])
  vim.cmd('Inkwright context pipeline')
  t.wait('the page', function()
    return t.text():find('流水线', 1, true) and not vim.bo.modifiable
  end)
  vim.cmd.close()
end)

t.test('words are found, listed and gone to', function()
  vim.api.nvim_set_current_win(vim.fn.win_findbuf(source)[1])
  vim.cmd('Inkwright search 青石镇')
  local list = t.wait('the list', function()
    local found = vim.fn.getqflist({ title = true, items = true })
    return found.title:find('青石镇', 1, true) and found.items
  end)
  for index, entry in ipairs(list) do
    if vim.api.nvim_buf_get_name(entry.bufnr) == path then
      vim.cmd('cc ' .. index)
    end
  end
  t.eq(source, vim.api.nvim_get_current_buf())
  local column = vim.api.nvim_win_get_cursor(0)[2]
  t.eq('青石镇', vim.api.nvim_get_current_line():sub(column + 1, column + #'青石镇'))
  vim.cmd.cclose()
  vim.cmd('Inkwright search 火星车')
  said('书里没有“火星车”')
end)

t.test('a summary is kept, shown, and said to be out of date', function()
  vim.cmd('Inkwright summary')
  said('还没有摘要')
  t.run('Inkwright run summary')
  said('摘要已保存')
  local function shown()
    vim.cmd('Inkwright summary')
    local win = t.wait('the window', function()
      local w = vim.api.nvim_get_current_win()
      return vim.api.nvim_win_get_config(w).relative ~= '' and w
    end)
    local text = t.text()
    vim.api.nvim_win_close(win, true)
    return text
  end
  t.match('林晚秋', shown())
  vim.api.nvim_buf_set_lines(source, -1, -1, true, { '', '天亮了。' })
  vim.cmd('silent write')
  t.wait('it is out of date', function()
    return shown():find('已失效', 1, true)
  end)
end)

t.test('a rewrite in one go wants a selection', function()
  t.messages()
  vim.cmd('Inkwright run shorten')
  said('请先选中一段文字')
end)

t.test('a novel has no pipeline, and the message says what to do; one that is named makes candidates', function()
  t.open(novel)
  t.messages()
  local ended = t.run('Inkwright pipeline')
  t.eq('no_pipeline', ended.result.error.code)
  t.match(':Inkwright pipeline [%l |]*breakdown', t.messages())
  ended = t.run('Inkwright pipeline breakdown')
  t.eq('completed', ended.result.status)
  t.eq(0, #ended.result.cards)
  t.eq(true, #ended.result.candidates > 1)
  said(':Inkwright candidates')
end)

t.test('candidates are looked at, rejected and accepted into files', function()
  local cards = vim.fs.dirname(novel) .. '/cards'
  local first = choosing({}, function()
    vim.cmd('Inkwright candidates')
  end)
  choosing({ first[1], '查看' }, function()
    vim.cmd('Inkwright candidates')
    t.wait('the window', function()
      return vim.api.nvim_win_get_config(0).relative ~= ''
    end)
    t.match('> ', t.text())
    vim.cmd.close()
  end, nil, 2)
  t.eq(nil, vim.uv.fs_stat(cards))
  local left = choosing({ first[1], '拒绝' }, function()
    vim.cmd('Inkwright candidates')
  end)
  t.eq(#first - 1, #left)
  t.messages()
  choosing({ '全部接受' }, function()
    vim.cmd('Inkwright candidates')
    said('没有等你决定的候选')
  end, nil, 1)
  t.eq(#first - 3, #vim.fn.glob(cards .. '/*.md', false, true))
end)

t.test('what is intended is listed: nothing yet', function()
  t.messages()
  vim.cmd('Inkwright intended')
  said('还没有标过')
end)

t.test('goals, usage and models: what there is, and a key for one of the vendors', function()
  local function window(command)
    vim.cmd(command)
    t.wait('the window', function()
      return vim.api.nvim_win_get_config(0).relative ~= ''
    end)
    local text = t.text()
    vim.cmd.close()
    return text
  end
  t.match(os.date('%Y') .. '%-%d%d%-%d%d', window('Inkwright goals'))
  t.match('没有使用过模型', window('Inkwright usage'))
  local secret = vim.fn.inputsecret
  vim.fn.inputsecret = function()
    return 'a-key-that-is-none'
  end
  vim.cmd('Inkwright models key deepseek')
  said('密钥保留到服务结束')
  vim.fn.inputsecret = secret
  local list = choosing({}, function()
    vim.cmd('Inkwright models')
  end)
  t.match('deepseek', table.concat(list, '\n'))
  t.match('其他端点', table.concat(list, '\n'))
  t.messages()
  vim.cmd('Inkwright models key nosuch')
  said('没有“nosuch”这个模型或厂商')
  vim.cmd('Inkwright models forget deepseek')
  said('密钥已取消')
end)

t.finish()
