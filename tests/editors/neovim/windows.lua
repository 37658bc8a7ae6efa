-- What is typed in a window that the plugin shows something in is about the chapter that it came from.
local t = dofile(vim.fs.dirname(arg[0]) .. '/driver.lua')
t.start({ locale = 'zh', review = 'none' })
local views = require('inkwright.view')

local CHAPTER = '# 渡口\n\n他走了,她来了。\n\n天黑了,下雨了。\n\n灯灭了,风停了。\n'
local server = t.open(t.write('第一章.md', CHAPTER))
local chapter = vim.api.nvim_get_current_buf()
local uri = vim.uri_from_bufnr(chapter)

t.write('第二章.md', '# 岸\n\n渡口没有人。\n')

-- What is asked of the server, and what of it is not answered yet. Runs and what makes files are answered at once.
local asked, under_way = {}, 0
local request = server.rpc.request
server.rpc.request = function(method, params, callback, ...)
  if method ~= 'workspace/executeCommand' then
    return request(method, params, callback, ...)
  end
  local argument = params.arguments[1]
  table.insert(asked, { command = params.command, uri = argument.uri })
  under_way = under_way + 1
  local made = ({
    ['inkwright.runAbility'] = { ability = 'polish', status = 'cancelled', stopReason = 'cancelled', text = '' },
    ['inkwright.runPipeline'] = { ability = '', status = 'cancelled', stopReason = 'cancelled', text = '' },
    ['inkwright.createCard'] = { uri = uri },
    ['inkwright.createBook'] = { root = server.root_dir, title = '书' },
  })[params.command]
  local function over(...)
    under_way = under_way - 1
    callback(...)
  end
  if made and not vim.g.really then
    vim.schedule(function()
      over(nil, made)
    end)
    return true, 0
  end
  return request(method, params, over, ...)
end

local function settled(what)
  t.wait(what, function()
    return under_way == 0
  end)
end

vim.ui.select = function(_, _, choose)
  choose(nil)
end
vim.ui.input = function(_, done)
  done(nil)
end
vim.fn.inputsecret = function()
  return ''
end

--- One window, the chapter.
local function alone()
  vim.cmd('silent! tabonly!')
  for _, win in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(win).relative ~= '' then
      vim.api.nvim_win_close(win, true)
    end
  end
  vim.cmd('silent! only!')
  vim.cmd.buffer(chapter)
  settled('what was asked before')
end

--- Waits until another buffer than the chapter is in front.
local function in_front(what, fits)
  t.wait(what, function()
    return vim.api.nvim_get_current_buf() ~= chapter and (not fits or fits())
  end)
end

vim.g.really = true
t.run('Inkwright polish')
t.wait('the hunks', function()
  return require('inkwright.hunks').count(chapter) == 3
end)
vim.cmd('checkhealth inkwright')
local health = vim.api.nvim_get_current_buf()
vim.bo.bufhidden = 'hide'
alone()

local function is_float()
  return vim.api.nvim_win_get_config(0).relative ~= ''
end

--- Each leaves the writer in a window of its kind, beside the chapter or over it.
local WINDOWS = {
  run = function()
    vim.cmd('Inkwright live')
    vim.api.nvim_set_current_win(select(2, t.shown('run')))
  end,
  quickfix = function()
    vim.cmd('Inkwright search 渡口')
    in_front('the list', function()
      return vim.bo.buftype == 'quickfix'
    end)
  end,
  page = function()
    vim.cmd('Inkwright context')
    in_front('the page', function()
      return vim.b.inkwright_source == chapter
    end)
  end,
  help = function()
    vim.cmd.split(vim.fn.fnameescape(t.root .. '/clients/neovim/doc/inkwright.txt'))
    vim.bo.buftype = 'help'
  end,
  health = function()
    vim.cmd.sbuffer(health)
  end,
  log = function()
    vim.cmd('Inkwright log')
  end,
}
for name, command in pairs({ book = 'book', messages = 'messages' }) do
  WINDOWS['float of ' .. name] = function()
    vim.cmd('Inkwright ' .. command)
    in_front('the window of ' .. name, is_float)
  end
end

local WORDS =
  { card = 'card character 林夏', follow = 'follow 再短些', run = 'run summary', search = 'search 岸' }
WORDS.write, WORDS.research, WORDS.book = 'write 写', 'research 渡口', 'book create'
local NOT_HERE = { restart = true, sample = true, ['accept'] = true, ['reject'] = true }

for _, name in ipairs(vim.fn.sort(vim.tbl_keys(WINDOWS))) do
  t.test('every command typed in the window is about the chapter or its book: ' .. name, function()
    for _, word in ipairs(require('inkwright.commands').names()) do
      if not NOT_HERE[word] then
        vim.g.really = true
        alone()
        WINDOWS[name]()
        settled('the window')
        vim.g.really = false
        t.messages()
        asked = {}
        vim.cmd('Inkwright ' .. (WORDS[word] or word))
        settled(word)
        local said = t.messages()
        assert(not said:find('没有做', 1, true) and not said:find('请求失败', 1, true), word .. ': ' .. said)
        for _, one in ipairs(asked) do
          t.eq({ word, uri }, { word, one.uri or uri })
        end
      end
    end
  end)

  t.test('next, accept and reject typed in the window decide in the chapter, which is shown: ' .. name, function()
    vim.g.really = true
    for _, command in ipairs({ 'accept', 'reject' }) do
      alone()
      vim.api.nvim_win_set_cursor(0, { 5, 0 })
      WINDOWS[name]()
      settled('the window')
      local verdict = t.event('InkwrightDecided', function()
        vim.cmd('Inkwright ' .. command)
      end)
      t.eq({ 1 }, verdict[command == 'accept' and 'applied' or 'rejected'])
      t.eq(chapter, vim.api.nvim_get_current_buf())
      if command == 'accept' then
        vim.cmd.undo()
        vim.cmd.doautocmd('TextChanged')
      else
        vim.api.nvim_buf_set_lines(chapter, 4, 5, true, { '天黑了,下雨了。' })
        t.run('Inkwright polish')
      end
      t.wait('the hunks', function()
        return require('inkwright.hunks').count(chapter) == 3
      end)
    end
  end)
end

t.test('a chapter that is chosen opens where the chapter was, in no window of the plugin', function()
  local select = vim.ui.select
  for _, name in ipairs({ 'run', 'quickfix', 'page', 'help', 'float of book' }) do
    vim.g.really = true
    alone()
    WINDOWS[name]()
    vim.ui.select = function(rows, _, choose)
      choose(rows[2])
    end
    vim.cmd('Inkwright chapters')
    t.wait('the chapter', function()
      return vim.fs.basename(vim.api.nvim_buf_get_name(0)) == '第二章.md'
    end)
    vim.ui.select = select
    t.eq({}, vim.fn.win_findbuf(chapter))
    t.eq('', vim.bo.buftype)
  end
end)

t.test('lines of such a window are no passage: it is said where to select one', function()
  alone()
  WINDOWS.run()
  t.messages()
  asked = {}
  vim.cmd('1Inkwright polish')
  t.match('请到 第一章%.md 的窗口里选中文字', t.messages())
  t.eq({}, asked)
end)

t.test('lines of the right side of a review are those of its hunks', function()
  alone()
  vim.api.nvim_buf_set_lines(chapter, 2, 3, true, { '他走了,她来了。', '', '又一段,在这里。' })
  vim.g.really = true
  t.eq(4, #t.run('Inkwright polish').result.proposal.hunks)
  vim.cmd('Inkwright review')
  local view = t.review()
  local line
  for at, text in ipairs(vim.api.nvim_buf_get_lines(view.buf, 0, -1, true)) do
    line = text:find('下雨了', 1, true) and at or line
  end
  t.eq(
    { 2 },
    t.event('InkwrightDecided', function()
      vim.cmd(line .. 'Inkwright accept')
    end).applied
  )
  t.eq(true, views.of(view.buf) ~= nil)
end)

t.test('in a window that is none of the plugin it is said which one to go to; with no chapter, to open one', function()
  alone()
  vim.cmd.new()
  vim.bo.buftype = 'nofile'
  for _, command in ipairs({ 'polish', 'accept', 'review', 'context' }) do
    t.messages()
    vim.cmd('Inkwright ' .. command)
    t.wait('what to do', function()
      return t.messages():find('请到 第一章.md 的窗口里再输入', 1, true)
    end)
  end
  vim.cmd('silent! %bwipeout!')
  vim.cmd.copen()
  t.messages()
  vim.cmd('Inkwright polish')
  t.wait('what to do', function()
    return t.messages():find('先打开一个 Markdown 文件', 1, true)
  end)
end)

t.finish()
