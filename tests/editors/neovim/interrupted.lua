-- Runs with a real connection to a slow model: cancelled in the middle, and typed into.
local t = dofile(vim.fs.dirname(arg[0]) .. '/driver.lua')
t.start({ locale = 'en' })

local CHAPTER = table.concat({
  '# 渡口',
  '',
  '　　林夏到的时候，船已经走了很久。她站在渡口看江水。',
  '',
  '　　“再等等。”周衡说。他慢慢地抬起了头。',
  '',
  '　　天渐渐地黑了下来，风很大很大。',
  '',
}, '\n')

local path = t.write('第一章 渡口.md', CHAPTER)
t.open(path)
local source = vim.api.nvim_get_current_buf()
local before = t.text()

local function control(command)
  local file = vim.env.INKWRIGHT_TEST_CONTROL .. '/' .. command
  assert(io.open(file, 'wb')):close()
end

local function told(name)
  return vim.uv.fs_stat(vim.env.INKWRIGHT_TEST_CONTROL .. '/' .. name) ~= nil
end

--- Polishes the chapter in front; the buffer of the run's window once it has what the model says before it waits.
local function begin()
  local here = vim.api.nvim_get_current_buf()
  vim.cmd('Inkwright polish')
  return t.wait('the first half in the split', function()
    for _, win in ipairs(vim.api.nvim_list_wins()) do
      local buf = vim.api.nvim_win_get_buf(win)
      if vim.b[buf].inkwright_source == here and not vim.b[buf].inkwright_ended and t.text(buf):find('林夏') then
        return buf
      end
    end
  end)
end

t.test('text is shown before the model has ended', function()
  begin()
  t.eq(false, told('ended'))
  t.wait('the status', function()
    return require('inkwright').status():find('Polish', 1, true)
  end)
end)

t.test('cancel in the middle: the buffer byte for byte, the model disconnected, one end', function()
  local ended = t.event('InkwrightRunEnded', function()
    vim.cmd('Inkwright cancel')
  end)
  t.eq('cancelled', ended.result.status)
  t.eq('cancelled', ended.run.ended)
  t.eq(nil, ended.result.proposal)
  t.eq(before, t.text(source))
  t.eq(CHAPTER, t.read(path))
  t.wait('the model to see the close', function()
    return told('closed')
  end)
  t.wait('no bar', function()
    return require('inkwright').status() == ''
  end)
  t.match('cancelled', t.messages())
end)

t.test('cancel with nothing running says so', function()
  vim.cmd('Inkwright cancel')
  t.match('Nothing is running', t.messages())
end)

t.test('typing while it runs: untouched hunks land right, touched ones are stale, nothing is lost', function()
  begin()
  vim.api.nvim_buf_set_lines(source, 1, 1, true, { '', '　　题记：江水东流。' })
  t.cursor('很大很大')
  local row, col = unpack(vim.api.nvim_win_get_cursor(0))
  vim.api.nvim_buf_set_text(source, row - 1, col, row - 1, col, { '一直' })
  local typed = t.text()
  local ended = t.event('InkwrightRunEnded', function()
    control('go')
  end)
  t.eq('completed', ended.result.status)
  t.eq(3, #ended.result.proposal.hunks)
  t.eq(typed, t.text(source))
  local view = t.review()
  t.match('题记', t.text(view.buf))
  t.match('船已走了很久', t.text(view.buf))
  t.match('风一直很大很大', t.text(view.buf))
  local verdict = t.event('InkwrightDecided', function()
    t.keys('A')
  end)
  t.eq({ 0, 1 }, verdict.applied)
  t.eq({ 2 }, verdict.stale)
  t.match('hunk 3', t.messages())
  t.eq((typed:gsub('船已经走了', '船已走了'):gsub('慢慢地抬', '慢慢抬')), t.text(source))
  t.no_review()
end)

t.test('what the model thinks is folded above its text, which is shown to the letter', function()
  control('think')
  begin()
  local ended = t.event('InkwrightRunEnded', function()
    control('go')
  end)
  vim.fn.delete(vim.env.INKWRIGHT_TEST_CONTROL .. '/think')
  local view = ended.run.view
  local win = vim.fn.win_findbuf(view)[1]
  t.eq(1, vim.b[view].inkwright_details)
  t.eq({ '先看人名，再看标点。' }, vim.api.nvim_buf_get_lines(view, 0, 1, true))
  t.eq(ended.result.text, table.concat(vim.api.nvim_buf_get_lines(view, 1, -1, true), '\n'))
  vim.api.nvim_win_call(win, function()
    t.eq(1, vim.fn.foldclosed(1))
    t.eq(-1, vim.fn.foldclosed(2))
    t.match('thought 10 characters', vim.fn.foldtextresult(1))
  end)
  t.match('in %d+ out', (vim.wo[win].winbar:gsub('%d+ in', 'in')))
  t.eq(nil, ended.result.proposal) -- of the text as it is now that is no rewrite
  vim.api.nvim_win_close(win, true)
  vim.cmd('Inkwright live')
  t.eq(view, (t.shown('run')))
end)

t.test('an edit for an older text is refused, and the hunks still wait', function()
  local handler = vim.lsp.config.inkwright.handlers['workspace/applyEdit']
  local server = vim.lsp.get_clients({ name = 'inkwright' })[1]
  local held = t.text(source)
  local answer = handler(nil, {
    edit = {
      documentChanges = {
        {
          textDocument = { uri = vim.uri_from_bufnr(source), version = vim.lsp.util.buf_versions[source] - 1 },
          edits = {
            { range = { start = { line = 0, character = 0 }, ['end'] = { line = 0, character = 1 } }, newText = 'X' },
          },
        },
      },
    },
  }, { client_id = server.id, method = 'workspace/applyEdit' })
  t.eq(false, answer.applied)
  t.eq(held, t.text(source))
end)

t.test('a server that is killed ends its run with a message; the text is untouched', function()
  t.messages()
  local held = t.text(source)
  begin()
  local ended = t.event('InkwrightRunEnded', t.kill)
  t.eq('failed', ended.result.status)
  t.match('has ended', t.messages())
  t.eq(held, t.text(source))
end)

t.test(
  'restart brings it back: that is said when it is so, and then what was cut off, with nothing asked for',
  function()
    t.messages()
    local there
    local notify = vim.notify
    vim.notify = function(message, level)
      local c = vim.lsp.get_clients({ name = 'inkwright', bufnr = source })[1]
      if message:find('started again', 1, true) then
        there = c and c.initialized or false
      end
      notify(message, level)
    end
    local heard = ''
    vim.cmd('Inkwright restart')
    t.wait('what is said', function()
      heard = heard .. t.messages()
      return heard:find('started again', 1, true) and heard:find('cut off', 1, true)
    end)
    vim.notify = notify
    t.eq(true, there)
    vim.api.nvim_set_current_buf(source)
    begin()
    t.event('InkwrightRunEnded', function()
      vim.cmd('Inkwright cancel')
    end)
  end
)

t.test('two runs at once are both seen; one is cancelled, the other comes to its end and is accepted', function()
  vim.cmd.only()
  vim.fn.delete(vim.env.INKWRIGHT_TEST_CONTROL .. '/closed')
  t.open(t.write('第二章.md', CHAPTER))
  local other = vim.api.nvim_get_current_buf()
  vim.cmd.sbuffer(source)
  t.open(t.write('第三章.md', CHAPTER))
  local third = vim.api.nvim_get_current_buf()
  local first = begin()
  vim.cmd.wincmd('w')
  t.eq(other, vim.api.nvim_get_current_buf())
  local second = begin()
  assert(first ~= second)
  t.eq({ third, other }, { vim.b[first].inkwright_source, vim.b[second].inkwright_source })
  t.eq({ 1, 1 }, { #vim.fn.win_findbuf(first), #vim.fn.win_findbuf(second) })
  local _, bars = require('inkwright').status():gsub('Polish', '')
  t.eq(2, bars)
  -- From the chapter of the older one: it is the run of the text in front that is meant.
  vim.api.nvim_set_current_win(vim.fn.win_findbuf(third)[1])
  local cancelled = t.event('InkwrightRunEnded', function()
    vim.cmd('Inkwright cancel')
  end)
  t.eq({ 'cancelled', third }, { cancelled.result.status, cancelled.run.source })
  t.wait('the model to see the close', function()
    return told('closed')
  end)
  t.eq(nil, vim.b[second].inkwright_ended)
  _, bars = require('inkwright').status():gsub('Polish', '')
  t.eq(1, bars)
  vim.api.nvim_set_current_win(vim.fn.win_findbuf(other)[1])
  local ended = t.event('InkwrightRunEnded', function()
    control('go')
  end)
  t.eq({ 'completed', other }, { ended.result.status, ended.run.source })
  t.review()
  t.event('InkwrightDecided', function()
    t.keys('A')
  end)
  t.no_review()
  t.match('船已走了很久', t.text(other))
  t.eq((CHAPTER:gsub('\n$', '')), t.text(third))
  vim.cmd.only()
  vim.cmd.buffer(source)
end)

t.test('a pipeline that was cut off says so and is resumed, its finished steps kept', function()
  t.write('拆书/book.toml', 'title = "拆书"\ntype = "breakdown"\n')
  t.open(t.write('拆书/第一章.md', CHAPTER))
  local function steps(result)
    return vim.tbl_map(function(step)
      return step.status
    end, result.steps)
  end
  t.event('InkwrightRunEnded', function()
    vim.cmd('Inkwright pipeline')
    for at, step in ipairs({ 'split', 'distil' }) do
      t.wait('step ' .. step, function()
        local buf, win = t.shown('run')
        return buf and vim.wo[win].winbar:find(at .. '/3 ', 1, true)
      end)
      if step == 'split' then
        control('go')
      else
        vim.cmd('Inkwright cancel')
      end
    end
  end)
  t.match(':Inkwright resume', t.messages())
  local going = assert(vim.uv.new_timer())
  going:start(
    0,
    20,
    vim.schedule_wrap(function()
      control('go')
    end)
  )
  local ended = t.run('Inkwright resume')
  going:close()
  t.eq({ 'completed', 'completed', 'completed' }, steps(ended.result))
  -- The steps stand folded above the text, each with its end.
  local details = vim.b[ended.run.view].inkwright_details
  local above = vim.api.nvim_buf_get_lines(ended.run.view, 0, details, true)
  t.eq(3, #vim.tbl_filter(function(line)
    return line:match('^✓ %d/3 ') ~= nil
  end, above))
  t.eq(ended.result.text, table.concat(ended.run.text))
end)

t.finish()
