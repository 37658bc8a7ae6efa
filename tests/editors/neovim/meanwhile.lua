-- What becomes of a text while a run is under way: emptied, saved under another name, named anew. Said once.
local t = dofile(vim.fs.dirname(arg[0]) .. '/driver.lua')
local locale = vim.env.INKWRIGHT_TEST_LOCALE
t.start({ locale = locale })

local SAID = {
  zh = {
    stale = '正文中已没有要改的话',
    moved = '2 处修改等在原来的文件 %s',
    waits = '有 1 处修改等你决定',
    lone = [[先用 :%s/\r/\r/g 换掉]],
  },
  en = {
    stale = 'the words of its hunks are gone',
    moved = '2 hunks wait for %s',
    waits = '1 hunk waits',
    lone = [[:%s/\r/\r/g makes line ends]],
  },
}
local want = SAID[locale]
local CHAPTER = '# 渡口\n\n他慢慢地抬起了头。\n\n天黑了，风很大很大。\n'

local function control(command)
  assert(io.open(vim.env.INKWRIGHT_TEST_CONTROL .. '/' .. command, 'wb')):close()
end

--- Polishes a new chapter, does something to it in the middle, and lets the model go on. Only the last says something.
local function during(name, act)
  local path = t.write(name, CHAPTER)
  t.open(path)
  vim.cmd('Inkwright polish')
  t.wait('the first half', function()
    local buf = t.shown('run')
    return buf and t.text(buf):find('渡口', 1, true)
  end)
  act()
  t.messages()
  local ended = t.event('InkwrightRunEnded', function()
    control('go')
  end)
  t.eq('completed', ended.result.status)
  t.eq(2, #ended.result.proposal.hunks)
  return ended, path, t.messages()
end

local function once(text, said)
  local _, count = said:gsub(vim.pesc(text), '')
  t.eq(1, count)
  local _, breaks = said:gsub('\n', '')
  t.eq(0, breaks)
end

--- The bar of a run's window, in which its end stands too.
local function bar(run)
  return (vim.wo[vim.fn.win_findbuf(run.view)[1]].winbar:gsub('%%%%', '%%'))
end

--- Takes the last change back once it is known that no hunk stands; the hunks are drawn again.
local function back(source)
  local known
  require('inkwright.hunks').refresh(source, 0, function()
    known = true
  end)
  t.wait('what stands', function()
    return known
  end)
  t.eq(0, require('inkwright.hunks').count(source))
  vim.api.nvim_buf_call(source, function()
    vim.cmd('silent undo')
    vim.cmd.doautocmd('TextChanged') -- a script has no main loop, which would say so
  end)
  t.wait('the hunks', function()
    return require('inkwright.hunks').count(source) == 2
  end)
end

--- Leaves nothing of a scene behind for the next.
local function clear()
  vim.cmd('silent! tabonly!')
  vim.cmd('silent! only!')
  vim.cmd('silent! %bwipeout!')
end

t.test('emptied: nothing is drawn or reviewed, and an undo brings the hunks back', function()
  local ended, _, said = during('空.md', function()
    vim.cmd('%d')
  end)
  once(want.stale, said)
  t.match(vim.pesc(want.stale), bar(ended.run))
  t.eq('', t.text(ended.run.source))
  t.eq(nil, (t.shown('proposal')))
  back(ended.run.source)
  t.wait('the bar', function()
    return not bar(ended.run):find(want.stale, 1, true)
  end)
  clear()
end)

for how, put in pairs({
  typed = function()
    vim.api.nvim_win_set_cursor(0, { 1, 0 })
    t.keys('oa<C-v><CR>b<Esc>')
  end,
  pasted = function()
    vim.api.nvim_buf_set_lines(0, 1, 1, true, { 'a\rb' })
  end,
}) do
  t.test(
    'a carriage return that is ' .. how .. ' into a line: what to do is said once, and an undo will do too',
    function()
      local ended, _, said = during(how .. '.md', put)
      once(want.lone, said)
      t.match(vim.pesc(want.lone), bar(ended.run))
      t.eq(nil, (t.shown('proposal')))
      back(ended.run.source)
      t.wait('the bar', function()
        return not bar(ended.run):find(want.lone, 1, true)
      end)
      clear()
    end
  )
end

t.test('typed into: the hunks that are left are counted', function()
  local _, _, said = during('改.md', function()
    t.cursor('慢慢')
    vim.cmd('delete')
  end)
  once(want.waits, said)
  clear()
end)

t.test('closed: the hunks wait for its file, and are there when it is opened again', function()
  local ended, path, said = during('关.md', function()
    vim.cmd('silent bwipeout! ' .. vim.fn.bufnr('关.md'))
  end)
  once(want.moved:format(vim.fn.fnamemodify(path, ':~:.')), said)
  t.match('关%.md', bar(ended.run))
  t.open(path)
  local source = vim.api.nvim_get_current_buf()
  t.wait('the hunks', function()
    return require('inkwright.hunks').count(source) == 2
  end)
  clear()
end)

for command, name in pairs({ saveas = '另存', file = '改名' }) do
  t.test(command .. ': the hunks are for the file that it was, and wait there', function()
    local new = vim.fs.joinpath(vim.env.INKWRIGHT_TEST_BOOK, name .. '二.md')
    local ended, path, said = during(name .. '.md', function()
      vim.cmd('silent ' .. command .. ' ' .. vim.fn.fnameescape(new))
    end)
    once(want.moved:format(vim.fn.fnamemodify(path, ':~:.')), said)
    t.match(name .. '%.md', bar(ended.run))
    t.eq(CHAPTER:sub(1, -2), t.text(ended.run.source))
    t.eq(nil, (t.shown('proposal')))
    vim.cmd('silent! only!')
    t.open(path)
    local source = vim.api.nvim_get_current_buf()
    vim.cmd('Inkwright review')
    t.review()
    t.event('InkwrightDecided', function()
      t.keys('A')
    end)
    t.no_review()
    t.match('他慢慢抬起了头', t.text(source))
    t.match('慢慢地抬起', t.text(ended.run.source))
    clear()
  end)
end

t.finish()
