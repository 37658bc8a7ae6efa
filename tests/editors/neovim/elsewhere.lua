-- What was decided elsewhere, abilities that do not exist, counts of one, and a Neovim in which nothing may be modified.
local t = dofile(vim.fs.dirname(arg[0]) .. '/driver.lua')
t.start({ locale = 'en' })
local client = require('inkwright.client')

local function said(pattern)
  t.wait('the message ' .. pattern, function()
    return vim.iter(t.said):any(function(one)
      return one.message:find(pattern, 1, true) ~= nil
    end)
  end)
  return t.messages()
end

local function bar()
  local _, win = t.shown('run')
  return win and vim.wo[win].winbar or ''
end

local function waits_for_bar(pattern)
  t.wait('the bar: ' .. pattern, function()
    return bar():find(pattern, 1, true)
  end)
end

local path = t.write('一.md', '# 一\n\n他走了,她来了。\n\n天黑了,下雨了。\n')
t.open(path)
local source = vim.api.nvim_get_current_buf()

t.test('an ability that does not exist runs nothing, and those that may be meant are named', function()
  local asked = 0
  local execute = client.execute
  client.execute = function(name, ...)
    asked = asked + ((name == 'inkwright.runAbility' or name == 'inkwright.showContext') and 1 or 0)
    return execute(name, ...)
  end
  for typed, meant in pairs({ polsh = ': polish', analyse = ': analysis', nosuch = 'shorten' }) do
    vim.cmd('Inkwright run ' .. typed .. ' x')
    t.match(vim.pesc(meant), said(('There is no ability "%s"'):format(typed)))
  end
  vim.cmd('Inkwright context nosuch')
  said('There is no ability "nosuch"')
  client.execute = execute
  t.eq(0, asked)
end)

t.test('a review of which a part was decided elsewhere decides nothing and shows what is left', function()
  local ended = t.run('Inkwright polish')
  local view = t.review()
  local before = t.text(source)
  waits_for_bar('2 hunks wait for you')
  local done
  client.execute('inkwright.rejectProposal', { proposalId = ended.result.proposal.id, hunks = { 0 } }, function()
    done = true
  end)
  t.wait('the decision', function()
    return done
  end)
  t.keys('a')
  said('decided elsewhere')
  t.eq(before, t.text(source))
  t.wait('the review', function()
    return vim.wo[view.win].winbar:find('1:', 1, true)
  end)
  waits_for_bar('1 hunk waits for you')
  done = nil
  client.execute('inkwright.rejectProposal', { proposalId = ended.result.proposal.id, hunks = { 1 } }, function()
    done = true
  end)
  t.wait('the decision', function()
    return done
  end)
  t.keys('a')
  said('decided elsewhere')
  t.no_review()
  waits_for_bar('Every hunk is decided')
  t.eq(before, t.text(source))
end)

t.test(
  'an undo after an acceptance: the text is as it was, and the hunk waits again; also where nothing else does',
  function()
    -- A script has no main loop, which would say that the text has changed.
    local function back(how)
      vim.cmd[how]()
      vim.cmd.doautocmd('TextChanged')
    end
    local before = t.text(source)
    vim.g.inkwright = vim.tbl_extend('force', vim.g.inkwright, { review = 'none' })
    vim.cmd.buffer(source)
    vim.cmd.only()
    t.eq(2, #t.run('Inkwright polish').result.proposal.hunks)
    t.cursor('他走了')
    t.eq(
      { 0 },
      t.event('InkwrightDecided', function()
        vim.cmd('Inkwright accept')
      end).applied
    )
    waits_for_bar('1 hunk waits for you')
    back('undo')
    t.eq(before, t.text(source))
    waits_for_bar('2 hunks wait for you')
    back('redo')
    waits_for_bar('1 hunk waits for you')
    local verdict = t.event('InkwrightDecided', function()
      vim.cmd('Inkwright accept all')
    end)
    t.eq({ 1 }, verdict.applied)
    waits_for_bar('Every hunk is decided')
    back('undo')
    waits_for_bar('1 hunk waits for you')
    back('undo')
    waits_for_bar('2 hunks wait for you')
    t.eq(before, t.text(source))
    t.cursor('他走了')
    t.eq(
      { 0 },
      t.event('InkwrightDecided', function()
        vim.cmd('Inkwright accept')
      end).applied
    )
    vim.cmd.undo()
    t.eq(before, t.text(source))
  end
)

t.test('a change within a word is drawn with whole words', function()
  local space, bufnr = vim.api.nvim_create_namespace('drawn'), vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, true, { 'She was looking, he didnt. 他慢慢的走' })
  local hunk = {
    index = 0,
    before = 'She was looking, he didnt. 他慢慢的走',
    after = "She was watching, he didn't. 他慢慢地走",
    findings = {},
  }
  require('inkwright.drawing').hunk(bufnr, space, hunk, { line = 0, col = 0, end_line = 0, end_col = 0 }, 80)
  local old, new = {}, {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(bufnr, space, 0, -1, { details = true })) do
    local _, row, col, details = unpack(mark)
    if details.end_row then
      table.insert(old, vim.api.nvim_buf_get_text(bufnr, row, col, details.end_row, details.end_col, {})[1])
    else
      table.insert(new, details.virt_text[1][1])
    end
  end
  table.sort(old)
  table.sort(new)
  t.eq({ 'didnt', 'looking', '的' }, old)
  t.eq({ "didn't", 'watching', '地' }, new)
end)

t.test('what is put in and what is taken away whole is drawn', function()
  local space, bufnr = vim.api.nvim_create_namespace('whole'), vim.api.nvim_create_buf(false, true)
  local function drawn(before, after)
    vim.api.nvim_buf_set_lines(bufnr, 0, -1, true, { before })
    local place = { line = 0, col = 0, end_line = 0, end_col = #before }
    require('inkwright.drawing').hunk(bufnr, space, { before = before, after = after, findings = {} }, place, 80)
    local marks = vim.api.nvim_buf_get_extmarks(bufnr, space, 0, -1, { details = true })
    vim.api.nvim_buf_clear_namespace(bufnr, space, 0, -1)
    t.eq(1, #marks)
    return marks[1][4]
  end
  t.eq('天黑了。', drawn('', '天黑了。').virt_text[1][1])
  t.eq(#'天黑了。', drawn('天黑了。', '').end_col)
  t.eq('天黑了。', drawn('', '天黑了。\n\n').virt_lines[1][1][1])
end)

t.test(
  'where nothing may be modified, messages and the page of the context are shown all the same; q closes',
  function()
    vim.go.modifiable = false
    vim.cmd('Inkwright messages')
    t.match('decided elsewhere', t.text())
    t.keys('q')
    t.eq(source, vim.api.nvim_get_current_buf())
    vim.cmd('Inkwright context')
    t.wait('the page', function()
      return vim.b.inkwright_source == source
    end)
    t.keys('q')
    t.eq(source, vim.api.nvim_get_current_buf())
    vim.go.modifiable = true
  end
)

t.test('the health page tells of the model that is in use here', function()
  vim.cmd.buffer(source)
  client.configure({ model = 'mine', models = { mine = { endpoint = 'http://127.0.0.1:9/v1', model = 'my-model' } } })
  t.wait('the model', function()
    vim.cmd('checkhealth inkwright')
    local report = t.text()
    vim.cmd('bwipeout!')
    return report:find('model in use: mine: my-model', 1, true) and not report:find('itself: model:', 1, true)
  end)
  vim.lsp.stop_client(vim.lsp.get_clients(), true)
  t.wait('no server', function()
    return #vim.lsp.get_clients() == 0
  end)
  vim.g.inkwright = vim.tbl_extend('force', vim.g.inkwright, { settings = { model = 'mine' } })
  vim.cmd('checkhealth inkwright')
  t.match('the models: open a chapter', t.text())
  assert(not t.text():find('itself: model:', 1, true))
end)

t.finish()
