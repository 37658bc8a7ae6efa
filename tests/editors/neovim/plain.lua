-- What needs no run: the missing server, help, health, completion, options, book and cards.
local t = dofile(vim.fs.dirname(arg[0]) .. '/driver.lua')
local server = vim.env.INKWRIGHT_TEST_SERVER

t.test('a missing server is said, with what to do, and nothing breaks', function()
  t.start({ locale = 'zh', cmd = { '/没有/inkwright', 'lsp' }, nonsense = 1, live = 'yes' })
  local path = t.write('缺.md', '# 缺\n\n他走了。\n')
  vim.cmd.edit(vim.fn.fnameescape(path))
  t.wait('the message', function()
    return #t.said > 0
  end)
  t.match('找不到 Inkwright 服务器', t.messages())
  vim.cmd('Inkwright polish')
  t.match('uv tool install .', t.messages())
  t.eq({}, vim.lsp.get_clients())
  vim.cmd('checkhealth inkwright')
  local report = t.text()
  t.match('找不到服务器命令', report)
  t.match('选项 live', report)
  t.match('选项 nonsense', report)
  vim.cmd('bwipeout!')
end)

t.test('with the server there, it attaches by vim.lsp.enable alone', function()
  vim.g.inkwright = { locale = 'zh' }
  vim.lsp.config('inkwright', { cmd = vim.json.decode(server) })
  local client = t.open(t.write('第一卷/第001章.md', '# 第一章 渡口\n\n林夏到了渡口。林夏笑了。\n'))
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
  local root = require('inkwright.client').root
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
  assert(not report:find('ERROR'), report)
  vim.cmd('bwipeout!')
end)

t.test(':help has every tag, and every command is in it', function()
  local doc = t.root .. '/clients/neovim/doc'
  local copy = vim.env.INKWRIGHT_TEST_BOOK .. '/.help/doc'
  vim.fn.mkdir(copy, 'p')
  vim.uv.fs_copyfile(doc .. '/inkwright.txt', copy .. '/inkwright.txt')
  vim.cmd('helptags ' .. vim.fn.fnameescape(copy))
  vim.opt.runtimepath:append(vim.fs.dirname(copy))
  vim.cmd('help inkwright')
  t.eq('help', vim.bo.buftype)
  for _, name in ipairs(require('inkwright.commands').names()) do
    vim.cmd('help :Inkwright-' .. name)
  end
  local text = t.text()
  for tag in text:gmatch('|([^|%s]+)|') do
    assert(#vim.fn.getcompletion(tag, 'help') > 0, 'no help for ' .. tag)
  end
  vim.cmd('bwipeout!')
end)

t.test('a run of the past is told of by its name, and how it stands in the language of the writer', function()
  local client, lists = require('inkwright.client'), require('inkwright.lists')
  local execute, here, open = client.execute, client.here, lists.open
  local run = { requestId = 'r', ability = 'polish', label = '润色优化', status = 'interrupted', path = '一.md' }
  run.message, run.text, run.uri = '', '', ''
  local rows
  client.execute = function(_, _, done)
    done({ runs = { run } })
  end
  client.here = function()
    return 'file:///book'
  end
  lists.open = function(_, load)
    load(function(found)
      rows = found
    end)
  end
  local ok, why = pcall(require('inkwright.past').open)
  client.execute, client.here, lists.open = execute, here, open
  assert(ok, why)
  t.eq(vim.trim(rows[1].label), '润色优化  一.md  已中断')
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
  t.eq({ 'pipeline', 'polish', 'proposals' }, vim.fn.getcompletion('Inkwright p', 'cmdline'))
  t.eq({ 'all' }, vim.fn.getcompletion('Inkwright accept ', 'cmdline'))
  t.eq({ 'all' }, vim.fn.getcompletion("'<,'>Inkwright reject a", 'cmdline'))
  t.wait('the abilities', function()
    return vim.tbl_contains(vim.fn.getcompletion('Inkwright run ', 'cmdline'), 'research')
  end)
  t.wait('the pipelines', function()
    return vim.deep_equal({ 'breakdown', 'note' }, vim.fn.getcompletion('Inkwright pipeline ', 'cmdline'))
  end)
  t.eq({ 'clear' }, vim.fn.getcompletion('Inkwright memories c', 'cmdline'))
  t.eq({ 'character' }, vim.fn.getcompletion('Inkwright card ch', 'cmdline'))
end)

t.test('an unknown command names those that exist', function()
  t.messages()
  vim.cmd('Inkwright 润色')
  t.match('没有“润色”', t.messages())
end)

t.test('accept and reject without a proposal say so', function()
  vim.cmd('Inkwright accept')
  t.wait('the message', function()
    return #t.said > 0
  end)
  t.match('没有等待决定的修改', t.messages())
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

t.test('book, cards and stats are shown in a window', function()
  for command, wanted in pairs({ book = '第一章 渡口', cards = '林夏', stats = '渡口' }) do
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
  vim.cmd('Inkwright context polish 保持风格')
  t.wait('the page', function()
    return t.text():find('保持风格', 1, true)
  end)
  t.eq(false, vim.bo.modifiable)
  vim.cmd.close()
end)

t.test('the report is one page about the book', function()
  vim.cmd('Inkwright report')
  t.wait('the page', function()
    return t.text():find('inkwright report', 1, true)
  end)
  t.match('渡口', t.text())
  t.eq(false, vim.bo.modifiable)
  vim.cmd.close()
end)

t.test('a book is made only when asked', function()
  local mark = vim.env.INKWRIGHT_TEST_BOOK .. '/book.toml'
  t.eq(nil, vim.uv.fs_stat(mark))
  vim.cmd('Inkwright book create')
  t.wait('book.toml', function()
    return vim.uv.fs_stat(mark)
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
