-- An endpoint of one's own with its list of models; a card's name of several words; what others change is seen.
local t = dofile(vim.fs.dirname(arg[0]) .. '/driver.lua')
t.start({ locale = 'zh' })
local client = require('inkwright.client')

local path = t.write('一.md', '# 一\n\n他走了,她来了。\n\n天黑了,下雨了。\n')
t.write('book.toml', 'title = "书"\n')
local server = t.open(path)
local source = vim.api.nvim_get_current_buf()

local function said(text)
  t.wait('the message ' .. text, function()
    return vim.iter(t.said):any(function(one)
      return one.message:find(text, 1, true) ~= nil
    end)
  end)
end

--- Answers the questions that an act asks; `picks` are parts of the rows, in order. Gives the rows of each list.
local function answering(picks, act, over)
  local select, input, secret = vim.ui.select, vim.ui.input, vim.fn.inputsecret
  local lists = {}
  vim.ui.select = function(items, opts, choose)
    local rows = vim.tbl_map(opts.format_item or tostring, items)
    table.insert(lists, rows)
    for index, row in ipairs(rows) do
      if picks[#lists] and row:find(picks[#lists], 1, true) then
        choose(items[index], index)
        return
      end
    end
    choose(nil)
  end
  vim.ui.input = function(_, done)
    done(vim.env.INKWRIGHT_TEST_ENDPOINT)
  end
  vim.fn.inputsecret = function()
    return ''
  end
  act()
  local ok, err = pcall(t.wait, 'the end of the questions', function()
    return over(lists)
  end)
  vim.ui.select, vim.ui.input, vim.fn.inputsecret = select, input, secret
  if not ok then
    error(err .. vim.inspect(lists), 2)
  end
  return lists
end

t.test("a model of an endpoint of one's own is chosen from its list, tried, and in use", function()
  t.event('InkwrightModelsChanged', function()
    local lists = answering({ '其他端点', 'Second/Model-2' }, function()
      vim.cmd('Inkwright models')
    end, function(lists)
      return #lists == 2 and vim.api.nvim_win_get_config(0).relative ~= ''
    end)
    t.eq({ 'first-model', 'Second/Model-2', '输入其他名称…' }, lists[2])
  end)
  t.match('Second/Model%-2', t.text())
  t.match('second%-model%-2', t.text())
  vim.cmd.close()
  said('second-model-2 可以使用')
  local lists = answering({}, function()
    vim.cmd('Inkwright models')
  end, function(lists)
    return #lists == 1
  end)
  t.match('%* second%-model%-2', table.concat(lists[1], '\n'))
end)

t.test('a card whose first word is no type has all of it as its name', function()
  local lists = answering({ '物品' }, function()
    vim.cmd('Inkwright card foo bar')
  end, function()
    return vim.api.nvim_get_current_buf() ~= source and t.text():find('foo bar', 1, true)
  end)
  t.eq({ { '人物', '地点', '时间线', '势力', '物品', '其他' } }, lists)
  t.match('type: item', t.text())
  t.match('cards/.*foo', vim.api.nvim_buf_get_name(0))
  vim.cmd.buffer(source)
end)

t.test('the sample book: that it is being put there is said at once, and where it is', function()
  t.messages()
  local folder = vim.fn.tempname()
  vim.cmd('Inkwright sample ' .. folder)
  t.match('正在放样书', t.messages())
  said('样书已放在 ' .. vim.fn.fnamemodify(folder, ':~'))
  t.match('第001章', vim.api.nvim_buf_get_name(0))
  vim.cmd.buffer(source)
end)

--- Does something and waits until the counts of the statusline, which is shown, are asked for.
local function asked(act)
  local count, execute = 0, client.execute
  client.execute = function(name, ...)
    count = count + (name == 'inkwright.stats' and 1 or 0)
    return execute(name, ...)
  end
  act()
  local ok, err = pcall(t.wait, 'the counts asked anew', function()
    require('inkwright.statusline').text()
    return count > 0
  end)
  client.execute = execute
  if not ok then
    error(err, 2)
  end
end

t.test('models that changed: the statusline asks anew, once it knew all', function()
  t.wait('the counts', function()
    return require('inkwright.statusline').text():find('%d')
  end)
  asked(function()
    t.event('InkwrightModelsChanged', function()
      client.configure({ model = 'offline' })
    end)
  end)
end)

t.test('hunks that another program rejects are gone from chapter and statusline', function()
  local ended = t.run('Inkwright polish')
  t.review()
  t.keys('q')
  t.no_review()
  vim.api.nvim_set_current_win(vim.fn.win_findbuf(source)[1])
  t.wait('the hunks', function()
    return require('inkwright.hunks').count(source) == 2
  end)
  t.wait('the statusline', function()
    return require('inkwright.statusline').text():find('2 处', 1, true)
  end)
  local other = assert(vim.lsp.get_client_by_id(assert(vim.lsp.start({
    name = 'another program',
    cmd = vim.json.decode(vim.env.INKWRIGHT_TEST_SERVER),
    root_dir = server.root_dir,
    workspace_folders = { { uri = vim.uri_from_fname(server.root_dir), name = 'book' } },
  }, { attach = false }))))
  t.wait('the other program', function()
    return other.initialized
  end)
  local told = t.event('InkwrightBookChanged', function()
    local reply
    other:request('workspace/executeCommand', {
      command = 'inkwright.rejectProposal',
      arguments = { { proposalId = ended.result.proposal.id, hunks = { 0, 1 } } },
    }, function(err)
      reply = err or true
    end)
    t.eq(
      true,
      t.wait('the decision', function()
        return reply
      end)
    )
  end)
  t.eq(true, vim.list_contains(told.changed, 'proposals'))
  t.wait('no hunk', function()
    return require('inkwright.hunks').count(source) == 0
  end)
  assert(not require('inkwright.statusline').text():find('2 处', 1, true))
end)

t.finish()
