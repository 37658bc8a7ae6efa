-- What needs no run: the missing server, help, health, completion, options, book and cards.
local t = dofile(vim.fs.dirname(arg[0]) .. '/driver.lua')
local server = vim.env.INKWRIGHT_TEST_SERVER

t.test('a missing server is said, with what to do, and nothing breaks', function()
  t.start({ locale = 'zh', cmd = { '/没有/inkwright', 'lsp' }, nonsense = 1, live = 'yes' })
  local path = t.write('缺.md', '# 缺\n\n他走了。\n')
  vim.cmd.edit(vim.fn.fnameescape(path))
  t.wait('the message', function()
    return t.messages():find('找不到 Inkwright 服务器', 1, true)
  end)
  vim.cmd('Inkwright polish')
  t.match('uv tool install .', t.messages())
  t.eq({}, vim.lsp.get_clients())
  vim.cmd('checkhealth inkwright')
  local report = t.text()
  t.match('找不到服务器命令', report)
  t.match('选项 live 应为 boolean，现在是 "yes"', report)
  t.match('没有选项 nonsense', report)
  vim.cmd('bwipeout!')
end)

t.test('with the server there, it attaches by vim.lsp.enable alone', function()
  vim.g.inkwright = { locale = 'zh' }
  vim.lsp.config('inkwright', { cmd = vim.json.decode(server) })
  local client =
    t.open(t.write('第一卷/第001章.md', '# 第一章 渡口\n\n林夏到了渡口。林夏笑了。\n'))
  t.eq(vim.fs.normalize(vim.env.INKWRIGHT_TEST_BOOK), client.root_dir)
  t.eq('utf-8', client.offset_encoding)
end)

t.test('diagnostics are asked for, follow the text and the cards, and stand once', function()
  local before = vim.api.nvim_get_current_buf()
  local client = t.open(t.write('第一卷/第009章.md', '# 第九章\n\n林夏说,好。见[[林下]]。\n'))
  local function codes()
    local found = vim.tbl_map(function(one)
      return one.code
    end, vim.diagnostic.get(0))
    table.sort(found)
    return table.concat(found, ' ')
  end
  local function shown(wanted)
    t.wait(wanted, function()
      return codes() == wanted
    end)
  end
  assert(client:supports_method('textDocument/diagnostic'))
  shown('link_card_missing zh-half-comma')
  local comma = vim.api.nvim_buf_get_lines(0, 2, 3, true)[1]:find(',', 1, true)
  vim.api.nvim_buf_set_text(0, 2, comma - 1, 2, comma, { '，' })
  shown('link_card_missing')
  local chapter = vim.api.nvim_get_current_buf()
  t.open(t.write('cards/新人.md', '---\ntype: character\n---\n'))
  local card = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_lines(0, 2, 2, true, { 'aliases: [林下]' })
  vim.api.nvim_set_current_buf(chapter)
  shown('')
  vim.api.nvim_set_current_buf(before)
  vim.cmd(('bwipeout! %d %d'):format(chapter, card))
  vim.fn.delete(vim.env.INKWRIGHT_TEST_BOOK .. '/cards/新人.md')
  vim.fn.delete(vim.env.INKWRIGHT_TEST_BOOK .. '/第一卷/第009章.md')
end)

t.test('neither the home folder nor a whole disk is a book, marked or not', function()
  local home = vim.env.HOME
  vim.fn.mkdir(home .. '/稿/.git', 'p')
  vim.fn.mkdir(home .. '/.git', 'p')
  vim.fn.writefile({ '# 甲' }, home .. '/甲.md')
  vim.fn.mkdir(home .. '/散', 'p')
  vim.fn.writefile({ '# 乙' }, home .. '/散/乙.md')
  vim.fn.writefile({ '# 丙' }, home .. '/稿/丙.md')
  local root = require('inkwright.root').of
  for file, wanted in pairs({ ['/甲.md'] = home, ['/散/乙.md'] = home .. '/散', ['/稿/丙.md'] = home .. '/稿' }) do
    t.eq(wanted, root(vim.fn.bufadd(home .. file)))
  end
end)

t.test(':checkhealth finds all in order', function()
  vim.cmd('checkhealth inkwright')
  local report = t.text()
  t.match('服务器：inkwright', report)
  t.match('已生效', report)
  t.match('已连接', report)
  for _, check in ipairs({ 'database', 'index' }) do
    t.match('服务器自查：' .. check .. ': ', report)
  end
  t.match('正在用的模型：offline: ', report)
  assert(not report:find('ERROR'), report)
  vim.cmd('bwipeout!')
end)

--- The help's text, with its tags made in a folder of the test's own.
local function help()
  local doc = t.root .. '/clients/neovim/doc'
  local copy = vim.env.INKWRIGHT_TEST_BOOK .. '/.help/doc'
  vim.fn.mkdir(copy, 'p')
  vim.uv.fs_copyfile(doc .. '/inkwright.txt', copy .. '/inkwright.txt')
  vim.cmd('helptags ' .. vim.fn.fnameescape(copy))
  vim.opt.runtimepath:append(vim.fs.dirname(copy))
  vim.cmd('help inkwright')
  t.eq('help', vim.bo.buftype)
  local text = t.text()
  vim.cmd('bwipeout!')
  return text
end

local function sorted(names)
  table.sort(names)
  return vim.fn.uniq(names)
end

--- What a pattern finds in a text, each once.
local function all(text, pattern)
  return sorted(vim.iter(text:gmatch(pattern)):totable())
end

t.test(':help has every tag, and what it has there is: commands, maps, options, groups, kinds', function()
  local text = help()
  for tag in text:gmatch('|([^|%s]+)|') do
    assert(#vim.fn.getcompletion(tag, 'help') > 0, 'no help for ' .. tag)
  end
  local names = require('inkwright.commands').names()
  t.eq(names, all(text, '%*:Inkwright%-(%l+)%*'))
  local english, chinese = text:match('^(.-)(11%. 中文说明 *%*.*)$')
  for _, name in ipairs(names) do
    if name ~= 'prev' then
      assert(chinese:find('%f[%w]' .. name .. '%f[%W]'), name .. ' is not in Chinese')
    end
  end
  local maps, selecting = {}, {}
  for _, mode in ipairs({ 'n', 'x' }) do
    for _, map in ipairs(vim.api.nvim_get_keymap(mode)) do
      local name = map.lhs:match('^<Plug>%(inkwright%-([%l-]+)%)$')
      table.insert(mode == 'n' and maps or selecting, name)
    end
  end
  t.eq(sorted(maps), all(english, '<Plug>%(inkwright%-([%l-]+)%)'))
  t.eq(sorted(selecting), all(english, '<Plug>%(inkwright%-([%l-]+)%) x'))
  for _, name in ipairs(names) do
    assert(vim.list_contains(maps, name), 'no map for ' .. name)
  end
  local config = require('inkwright.config')
  t.eq(
    sorted(vim.tbl_keys(config.DEFAULTS)),
    all(english:match('\n    vim%.g%.inkwright = (%b{})'), '\n      (%l[%l_]*) = ')
  )
  local types = t.read(t.root .. '/clients/neovim/lua/inkwright/types.lua')
  t.eq(sorted(vim.tbl_keys(config.DEFAULTS)), all(types:match('@class inkwright%.Options(.-)\n\n'), '@field ([%l_]+)'))
  t.eq(sorted(vim.tbl_keys(require('inkwright.colours').GROUPS)), all(english, '%*hl%-(Inkwright%a+)%*'))
  local links = require('inkwright.attach').LINKS
  t.eq(sorted(vim.tbl_keys(links)), all(english, '\n    (@lsp%.%a+%.%a+) '))
  for group, link in pairs(links) do
    assert(english:find(('\n    %s +%s\n'):format(vim.pesc(group), link)), group)
  end
  local code = ''
  for _, file in ipairs(vim.fn.glob(t.root .. '/clients/neovim/lua/inkwright/*.lua', false, true)) do
    code = code .. t.read(file)
  end
  local kinds = all(code, "kind = 'inkwright%.([%l_]+)'")
  vim.list_extend(kinds, all(code, "lists%.open%(tr%('[%l_]+'%)[%.%l]*, '([%l_]+)'"))
  table.insert(kinds, 'act')
  t.eq(sorted(kinds), all(english:match('The `kind` that.*'), '`inkwright%.([%l_]+)`'))
end)

t.test('names of cards and speech have colours of the scheme; a writer who chose has their own', function()
  for group, link in pairs(require('inkwright.attach').LINKS) do
    t.eq(link, vim.api.nvim_get_hl(0, { name = group }).link)
  end
  vim.cmd('colorscheme habamax')
  t.eq('Identifier', vim.api.nvim_get_hl(0, { name = '@lsp.type.character' }).link)
  vim.cmd('hi! link @lsp.type.character Todo')
  vim.cmd('colorscheme default')
end)

t.test('what is wrong with the options of setup() is said at once, in both languages', function()
  local held = vim.g.inkwright
  t.messages()
  require('inkwright').setup({ locale = 'zh', live_hight = 3, Live = true, review = 'tab', prose = { spell = 1 } })
  local said = t.messages()
  t.match('选项 review 应为 "diff" | "none"，现在是 "tab"', said)
  t.match('没有选项 Live，是不是 live？', said)
  t.match('没有选项 live_hight', said)
  t.match('选项 prose 应为 boolean', said)
  require('inkwright').setup({ locale = 'en', goal = -1 })
  t.match('The option goal must be integer >= 0, it is %-1', t.messages())
  vim.g.inkwright = held
end)

t.test('prose options are set where they are asked for, and undone', function()
  vim.wo[0][0].linebreak, vim.wo[0][0].spell = false, true
  vim.cmd('Inkwright prose')
  t.eq({ true, true, false }, { vim.wo.linebreak, vim.wo.breakindent, vim.wo.spell })
  vim.cmd('Inkwright prose off')
  t.eq({ false, false, true }, { vim.wo.linebreak, vim.wo.breakindent, vim.wo.spell })
  vim.wo[0][0].spell = false
end)

t.test('the statusline says what is known, at once, and asks in the background', function()
  local statusline = require('inkwright').statusline
  local began = vim.uv.hrtime()
  for _ = 1, 1000 do
    statusline()
  end
  t.wait('the counts', function()
    return statusline():find('全书', 1, true)
  end)
  t.match('本章 ', statusline())
  io.stdout:write(('statusline: %.1f µs\n'):format((vim.uv.hrtime() - began) / 1e6))
  vim.cmd.enew()
  t.eq('', statusline())
  vim.cmd.bwipeout()
end)

t.test('texts are made to fit by cells, with a sign', function()
  local width = require('inkwright.width')
  t.eq('林黛…', width.fit('林黛玉进贾府', 5))
  t.eq('林黛玉', width.fit('林黛玉', 6))
  t.eq({ '林黛玉', '进贾府' }, width.wrap('林黛玉进贾府', 7))
  t.eq({ 'the ferry ', 'leaves' }, width.wrap('the ferry leaves', 12))
  for _, text in ipairs({ '', 'a', '一\n二', ('长'):rep(50) .. ' x', '😀👨‍👩‍👧𠮷e\u{301}' }) do
    for cells = 2, 9 do
      local joined = table.concat(width.wrap(text, cells), '')
      t.eq((text:gsub('\n', '')), joined)
      for _, line in ipairs(width.wrap(text, cells)) do
        assert(vim.api.nvim_strwidth(line) <= cells, line)
      end
    end
  end
end)

t.test('a change behind signs of several characters is drawn where it is', function()
  local before = 'cafe\u{301} 👨\u{200d}👩\u{200d}👧 慢慢地抬头，𠮷野'
  local buffer, space = vim.api.nvim_create_buf(false, true), vim.api.nvim_create_namespace('')
  vim.api.nvim_buf_set_lines(buffer, 0, -1, true, { before })
  local hunk = { before = before, after = (before:gsub('慢慢地', '慢慢')), findings = {} }
  local place = { line = 0, col = 0, end_line = 0, end_col = #before }
  require('inkwright.drawing').hunk(buffer, space, hunk, place, 80)
  local marks = vim.api.nvim_buf_get_extmarks(buffer, space, 0, -1, { details = true })
  t.eq(1, #marks)
  t.eq('地', before:sub(marks[1][3] + 1, marks[1][4].end_col))
  vim.api.nvim_buf_delete(buffer, { force = true })
end)

t.test('the window of a run that a session has kept goes, and leaves the others', function()
  local chapter = vim.api.nvim_get_current_buf()
  vim.cmd('rightbelow vnew')
  vim.cmd('file inkwright://proposal/3/第一章.md') -- so a session's file does it
  local left = vim.api.nvim_get_current_buf()
  vim.cmd('doautocmd SessionLoadPost')
  t.eq(false, vim.api.nvim_buf_is_valid(left))
  t.eq({ chapter }, vim.tbl_map(vim.api.nvim_win_get_buf, vim.api.nvim_list_wins()))
end)

t.test('a buffer that has the name of a new one gives it up', function()
  local left = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(left, 'inkwright://run/7/润色')
  local buffer = vim.api.nvim_create_buf(false, true)
  require('inkwright.pages').name(buffer, 'inkwright://run/7/润色')
  t.eq('inkwright://run/7/润色', vim.api.nvim_buf_get_name(buffer))
  t.eq(false, vim.api.nvim_buf_is_valid(left))
  vim.api.nvim_buf_delete(buffer, { force = true })
end)

t.test('what stands in bars fits into half of a screen of 80 cells', function()
  for _, locale in ipairs({ 'zh', 'en' }) do
    local texts = require('inkwright.texts.' .. locale)
    assert(vim.api.nvim_strwidth(texts.review_title:format(99)) <= 39, texts.review_title)
    assert(vim.api.nvim_strwidth(texts.run_running) <= 39, texts.run_running)
  end
end)

t.test('a request that is not answered in time is given up, and said', function()
  local client = require('inkwright.client')
  local failed
  t.messages()
  client.execute('inkwright.report', { uri = client.here() }, nil, {
    limit = 1,
    failed = function(err)
      failed = err
    end,
  })
  t.wait('the end', function()
    return failed
  end)
  t.match('已放弃', t.messages())
end)

t.test('a run of the past is told of by its name, and how it stands in the language of the writer', function()
  local client, lists = require('inkwright.client'), require('inkwright.lists')
  local execute, here, open = client.execute, client.here, lists.open
  local run =
    { requestId = 'r', ability = 'polish', label = '润色优化', status = 'interrupted', path = '正文/一.md' }
  run.message, run.text, run.uri, run.createdAt = '', '', '', '2026-11-30T19:48:30.000+00:00'
  local rows
  client.execute = function(_, _, done)
    done({ runs = { run } })
  end
  client.here = function()
    return 'file:///book'
  end
  lists.open = function(_, _, load)
    load(function(found)
      rows = found
    end)
  end
  local ok, why = pcall(require('inkwright.past').open)
  client.execute, client.here, lists.open = execute, here, open
  assert(ok, why)
  local clock = vim.fn.strftime('%m-%d %H:%M', 1796068110)
  t.eq(vim.trim(rows[1].label), ('润色优化  %s  已中断  一.md'):format(clock))
end)

t.test('a further message goes on from the last run that brought an answer', function()
  local client = require('inkwright.client')
  local runs = require('inkwright.runs')
  local execute, start = client.execute, runs.start
  local file = vim.uri_from_fname(vim.api.nvim_buf_get_name(0))
  local function run(id, status, text)
    return { requestId = id, ability = 'polish', label = '润色优化', status = status, uri = file, text = text }
  end
  client.execute = function(_, _, done)
    done({
      runs = { run('empty', 'partial', ''), run('failed', 'failed', '半'), run('answer', 'completed', '好。') },
    })
  end
  local asked
  runs.start = function(wish)
    asked = wish.follow
  end
  local ok, why = pcall(require('inkwright.past').follow, '再短些')
  client.execute, runs.start = execute, start
  assert(ok, why)
  t.eq('answer', asked)
end)

t.test('the two languages have the same texts', function()
  local zh, en = require('inkwright.texts.zh'), require('inkwright.texts.en')
  for code, text in pairs(zh) do
    assert(en[code], code .. ' is not in English')
    t.eq(type(text), type(en[code]))
    if type(text) == 'string' then
      t.eq(select(2, text:gsub('%%[sd]', '')), select(2, en[code]:gsub('%%[sd]', '')))
    end
  end
  t.eq(vim.tbl_count(zh), vim.tbl_count(en))
  local code = ''
  for _, file in ipairs(vim.fn.glob(t.root .. '/clients/neovim/lua/inkwright/*.lua', false, true)) do
    code = code .. table.concat(vim.fn.readfile(file), '\n')
  end
  for name in pairs(en) do
    assert(code:find("'" .. name .. "'", 1, true), name .. ' is said nowhere')
  end
end)

t.test('commands and their words are completed', function()
  local p = { 'pipeline', 'polish', 'prev', 'previous', 'proposals', 'prose' }
  t.eq(p, vim.fn.getcompletion('Inkwright p', 'cmdline'))
  t.eq({ 'all' }, vim.fn.getcompletion('Inkwright accept ', 'cmdline'))
  t.eq({ 'all' }, vim.fn.getcompletion("'<,'>Inkwright reject a", 'cmdline'))
  t.wait('the abilities', function()
    return vim.tbl_contains(vim.fn.getcompletion('Inkwright run ', 'cmdline'), 'research')
  end)
  t.wait('the pipelines', function()
    return vim.deep_equal({ 'resume', 'breakdown', 'note' }, vim.fn.getcompletion('Inkwright pipeline ', 'cmdline'))
  end)
  t.eq({ 'clear' }, vim.fn.getcompletion('Inkwright memories c', 'cmdline'))
  t.eq({ 'character' }, vim.fn.getcompletion('Inkwright card ch', 'cmdline'))
  t.eq({ '人物' }, vim.fn.getcompletion('Inkwright card 人', 'cmdline'))
end)

t.test('an unknown command names those that exist', function()
  t.messages()
  vim.cmd('Inkwright 润色')
  t.match('没有“润色”', t.messages())
end)

t.test('a word that a command does not know is named, and nothing is done', function()
  vim.cmd('Inkwright prose of')
  t.match('“:Inkwright prose”没有“of”。可用的有：off on', t.messages())
  t.eq(false, vim.wo.linebreak)
  vim.cmd('Inkwright accept al')
  t.match('没有“al”。可用的有：all', t.messages())
  vim.cmd('Inkwright goals 3')
  t.match('不认得“3”', t.messages())
end)

t.test('accept and reject without a proposal say so', function()
  vim.cmd('Inkwright accept')
  t.wait('the message', function()
    return #t.said > 0
  end)
  t.match('没有等待决定的修改', t.messages())
end)

t.test('a new ability is made from the template, opened, and offered at once', function()
  vim.cmd('Inkwright new 收束')
  t.wait('the file', function()
    return vim.api.nvim_buf_get_name(0):find('/abilities/', 1, true)
  end)
  t.match('收束', t.text())
  t.wait('the server that runs, for a fault in the file', function()
    return #vim.lsp.get_clients({ bufnr = 0 }) == 1
  end)
  t.eq(1, #vim.lsp.get_clients())
  local id = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(0), ':t:r')
  vim.cmd('bwipeout')
  t.wait('the completion', function()
    return vim.list_contains(vim.fn.getcompletion('Inkwright run ', 'cmdline'), id)
  end)
end)

t.test('a profile that is dropped in is completed and offered as a code action, by the client as it is', function()
  local folder = vim.env.XDG_CONFIG_HOME .. '/inkwright/profiles/abilities'
  vim.fn.mkdir(folder, 'p')
  assert(not vim.list_contains(vim.fn.getcompletion('Inkwright run ', 'cmdline'), 'trim'))
  vim.fn.writefile({
    '---',
    'id: trim',
    'kind: ability',
    'label: { zh: 修枝, en: Trim }',
    'description: { zh: 删去多余的话, en: Cuts }',
    'output: edit',
    'scope: chapter',
    '---',
    '',
    '删去多余的话。',
  }, folder .. '/trim.md')
  t.wait('the completion', function()
    return vim.list_contains(vim.fn.getcompletion('Inkwright run ', 'cmdline'), 'trim')
  end)
  t.match('修枝', table.concat(t.code_action(), '\n'))
  vim.fn.delete(folder .. '/trim.md')
end)

t.test('a card is made, opened, and its name is known in the chapter', function()
  vim.cmd('Inkwright card character 林夏')
  t.wait('the card', function()
    return vim.api.nvim_buf_get_name(0):find('林夏', 1, true)
  end)
  t.match('character', t.text())
  vim.cmd.wincmd('p')
  t.wait('the hover', function()
    t.cursor('林夏')
    local found = vim.lsp.buf_request_sync(0, 'textDocument/hover', vim.lsp.util.make_position_params(0, 'utf-8'), 3000)
    local _, answer = next(found or {})
    return answer and answer.result and vim.inspect(answer.result):find('林夏', 1, true)
  end)
end)

t.test('a chapter is made behind the last one under the next number, and one writes on below its heading', function()
  local input = vim.ui.input
  vim.ui.input = function(options, done)
    done(options.default .. ' 归航')
  end
  vim.cmd('Inkwright chapter')
  t.wait('the chapter', function()
    return vim.api.nvim_buf_get_name(0):find('第一卷/第002章 归航.md', 1, true)
  end)
  vim.ui.input = input
  t.eq('# 第002章 归航\n', t.text())
  t.eq({ 2, 0 }, vim.api.nvim_win_get_cursor(0))
  vim.cmd('Inkwright chapter 第002章 归航')
  t.wait('what is said', function()
    return t.messages():find('已有文件 第一卷/第002章 归航.md', 1, true)
  end)
  vim.fn.delete(vim.api.nvim_buf_get_name(0))
  vim.cmd('bwipeout!')
end)

t.test('a book that names no kind is shown as the novel that it is taken for', function()
  vim.cmd('Inkwright book show')
  local window
  t.wait('the window', function()
    window = vim.iter(vim.api.nvim_list_wins()):find(function(one)
      return vim.api.nvim_win_get_config(one).relative ~= ''
    end)
    return window
  end)
  local text = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n')
  t.match('类型  小说\n章', text)
  vim.api.nvim_win_close(window, true)
end)

t.test('the type of a card may be said in Chinese', function()
  local making = require('inkwright.making')
  local card, made = making.card, {}
  making.card = function(kind, name)
    table.insert(made, { kind or '', name })
  end
  vim.cmd('Inkwright card 人物 林夏')
  vim.cmd('Inkwright card 势力 item 阁')
  vim.cmd('Inkwright card 林夏 人物')
  making.card = card
  t.eq({ { 'character', '林夏' }, { 'faction', 'item 阁' }, { '', '林夏 人物' } }, made)
end)

t.test('chapters and cards are lists, one that is chosen is opened', function()
  local select, seen = vim.ui.select, nil
  vim.ui.select = function(items, opts, choose)
    seen = { opts.kind, opts.format_item(items[1]) }
    choose(items[1], 1)
  end
  for command, wanted in pairs({ chapters = '第001章.md', cards = '林夏.md' }) do
    seen = nil
    vim.cmd('Inkwright ' .. command)
    t.wait(command, function()
      return seen and vim.fs.basename(vim.api.nvim_buf_get_name(0)) == wanted
    end)
    t.eq('inkwright.' .. command:gsub('s$', ''), seen[1])
  end
  vim.ui.select = select
  vim.cmd.buffer(vim.fn.bufnr('第001章.md'))
end)

t.test('book and stats are shown in a window', function()
  for command, wanted in pairs({ book = '第一章 渡口', stats = '渡口' }) do
    vim.cmd('Inkwright ' .. command)
    local win = t.wait(command, function()
      local w = vim.api.nvim_get_current_win()
      return vim.api.nvim_win_get_config(w).relative ~= '' and w
    end)
    t.match(wanted, t.text())
    vim.api.nvim_win_close(win, true)
  end
end)

t.test('the context page shows what the model would see', function()
  local chapter = vim.api.nvim_get_current_buf()
  vim.cmd('Inkwright context polish 保持风格')
  t.wait('the page', function()
    return t.text():find('保持风格', 1, true)
  end)
  t.eq(false, vim.bo.modifiable)
  t.eq({}, vim.lsp.get_clients({ bufnr = 0 }))
  t.eq(chapter, require('inkwright.sources').of())
  vim.cmd.close()
end)

t.test('the report is one page about the book', function()
  local chapter = vim.api.nvim_get_current_buf()
  vim.cmd('Inkwright report')
  t.wait('the page', function()
    return t.text():find('inkwright report', 1, true)
  end)
  t.match('渡口', t.text())
  t.eq(false, vim.bo.modifiable)
  t.eq({}, vim.lsp.get_clients({ bufnr = 0 }))
  t.eq(chapter, require('inkwright.sources').of())
  t.eq(vim.o.columns, vim.api.nvim_win_get_width(0)) -- not halved on a screen of 80 cells
  vim.cmd.close()
end)

local function book_of(bufnr)
  local found
  require('inkwright.client').execute('inkwright.getBook', { uri = vim.uri_from_bufnr(bufnr) }, function(index)
    found = index
  end)
  t.wait('the book', function()
    return found
  end)
  return found
end

t.test('a rename changes every text or none: one that cannot be changed is named', function()
  local chapter, other =
    vim.api.nvim_get_current_buf(), t.write('第一卷/第003章.md', '# 第三章\n\n林夏笑了。\n')
  t.open(other)
  local closed = vim.api.nvim_get_current_buf()
  t.wait('the server to know of it', function()
    return vim.json.encode(book_of(chapter).chapters):find('第003章', 1, true)
  end)
  vim.bo[closed].modifiable = false
  vim.cmd.buffer(chapter)
  local before = t.text()
  t.messages()
  t.cursor('林夏')
  vim.lsp.buf.rename('林秋')
  t.wait('the refusal', function()
    return t.messages():find('第003章.md 不可改动（:set modifiable），什么也没有做', 1, true)
  end)
  t.eq(before, t.text())
  t.match('林夏笑了', t.text(closed))
  vim.cmd.bwipeout(closed)
  vim.fn.delete(other)
end)

t.test('a rename changes every text or none: one with a swap file is left to the writer', function()
  local root = vim.env.INKWRIGHT_TEST_BOOK
  local swaps, other = root .. '/.swap', t.write('第一卷/第002章.md', '# 第二章\n\n林夏走了。\n')
  local chapter = vim.api.nvim_get_current_buf()
  t.open(other)
  t.wait('the server to know of it', function()
    local known
    require('inkwright.client').execute('inkwright.getBook', { uri = vim.uri_from_bufnr(chapter) }, function(index)
      known = vim.json.encode(index.chapters)
    end)
    t.wait('the book', function()
      return known
    end)
    return known:find('第002章', 1, true)
  end)
  vim.cmd.buffer(chapter)
  vim.cmd.bwipeout(vim.fn.bufnr('第002章.md'))
  vim.fn.mkdir(swaps, 'p')
  local held = { vim.o.directory, vim.o.updatecount, vim.o.swapfile }
  vim.o.directory, vim.o.updatecount, vim.o.swapfile = swaps .. '//', 200, true
  local crashed = vim.system({
    vim.v.progpath,
    '--clean',
    '--headless',
    '-c',
    'set directory=' .. swaps:gsub('[ %%]', '\\%0') .. '//',
    '-c',
    'edit ' .. vim.fn.fnameescape(other),
    '-c',
    'normal ix',
    '-c',
    'preserve',
    '-c',
    'call writefile([], $PRESERVED)',
  }, { env = { PRESERVED = root .. '/.preserved' } })
  t.wait('the swap file', function()
    return vim.uv.fs_stat(root .. '/.preserved')
  end)
  crashed:kill(9)
  crashed:wait()
  local before = t.text()
  t.messages()
  t.cursor('林夏')
  vim.lsp.buf.rename('林秋')
  t.wait('the refusal', function()
    return t.messages():find('有交换文件，一处未改：请先在这里打开 第一卷/第002章.md', 1, true)
  end)
  t.eq(before, t.text())
  assert(vim.fn.globpath(root, '**/林夏.md') ~= '')
  vim.fn.delete(swaps, 'rf')
  vim.o.directory, vim.o.updatecount, vim.o.swapfile = unpack(held)
  t.cursor('林夏')
  vim.lsp.buf.rename('林秋')
  t.wait('what was done', function()
    return t.messages():find('改了 3 个文件；:wa 写入', 1, true)
  end)
  t.eq((before:gsub('林夏', '林秋')), t.text())
  t.match('林秋走了', t.text(vim.fn.bufnr('第002章.md')))
  vim.cmd('silent wall')
end)

t.test('a book is made only when asked', function()
  local mark = vim.env.INKWRIGHT_TEST_BOOK .. '/book.toml'
  t.eq(nil, vim.uv.fs_stat(mark))
  vim.cmd('Inkwright book create')
  t.wait('book.toml', function()
    return vim.uv.fs_stat(mark)
  end)
end)

t.test('a book.toml that is saved counts at once', function()
  local chapter = vim.api.nvim_get_current_buf()
  vim.cmd.edit(vim.fn.fnameescape(vim.env.INKWRIGHT_TEST_BOOK .. '/book.toml'))
  vim.api.nvim_buf_set_lines(0, 0, -1, true, { 'title = "江雾"', 'type = "note"' })
  vim.cmd('silent write')
  vim.cmd.buffer(chapter)
  t.wait('what it says', function()
    local book = book_of(chapter).book
    return book.type == 'note' and book.title == '江雾'
  end)
end)

t.test('a text is a chapter where a project of another tool says so, and nowhere else', function()
  t.write('别处/说明.txt', '雨。')
  vim.cmd.edit(vim.fn.fnameescape(vim.env.INKWRIGHT_TEST_BOOK .. '/别处/说明.txt'))
  t.eq('text', vim.bo.filetype)
  t.eq({}, vim.lsp.get_clients({ bufnr = 0 }))
  t.write('生成/Novel_directory.txt', '第1章 - [渡口]')
  t.open(t.write('生成/chapters/chapter_1.txt', '林夏到了渡口。'))
  t.open(t.write('nw/content/0e17daca5f3e1.nwd', '### The Ferry'))
  t.eq('markdown', vim.bo.filetype)
end)

t.finish()
