-- What a writer asks for before the server is there: done as soon as it can be, or said not to be done.
local t = dofile(vim.fs.dirname(arg[0]) .. '/driver.lua')
t.start({ locale = 'zh', review = 'none' })
local server = vim.g.inkwright

local CHAPTER = '# 渡口\n\n他走了,她来了。\n\n天黑了,下雨了。\n\n灯灭了,风停了。\n'

local function said(pattern)
  t.wait('the message ' .. pattern, function()
    return vim.iter(t.said):any(function(one)
      return one.message:find(pattern) ~= nil
    end)
  end)
  return t.messages()
end

local function stop()
  vim.lsp.stop_client(vim.lsp.get_clients())
  t.wait('no server', function()
    return #vim.lsp.get_clients({ _uninitialized = true }) == 0
  end)
end

t.test('a server that dies while it starts: what waited for it is named, with what to do', function()
  vim.g.inkwright = vim.tbl_extend('force', server, { cmd = { 'sh', '-c', 'read line; exit 3' } })
  vim.cmd.edit(vim.fn.fnameescape(t.write('早.md', CHAPTER)))
  vim.cmd('Inkwright polish')
  vim.cmd('Inkwright next')
  said('polish, next 没有做：服务器退出了，先 :Inkwright restart')
  t.wait('no server', function()
    return #vim.lsp.get_clients({ _uninitialized = true }) == 0
  end)
  vim.g.inkwright = server
end)

t.test('after :Inkwright restart it is done', function()
  vim.cmd('Inkwright restart')
  t.wait('the server', function()
    return #vim.lsp.get_clients({ bufnr = 0, _uninitialized = true }) == 1
  end)
  local ended = t.run('Inkwright polish')
  t.eq('completed', ended.result.status)
  t.eq(3, #ended.result.proposal.hunks)
end)

t.test(
  'a server that runs is started again, and that is said when it is there; without a chapter nothing is',
  function()
    local old = vim.lsp.get_clients({ bufnr = 0 })[1]
    t.messages()
    vim.cmd('Inkwright restart')
    said('已重新启动')
    local new = vim.lsp.get_clients({ bufnr = 0 })[1]
    assert(new and new.initialized and new.id ~= old.id)
    stop()
    local chapter = vim.api.nvim_buf_get_name(0)
    vim.cmd('silent! %bwipeout!')
    t.messages()
    vim.cmd('Inkwright restart')
    said('没有打开的章节')
    vim.cmd.edit(vim.fn.fnameescape(chapter))
  end
)

t.test('hunks of an earlier session: next and accept in the moment of opening are about the first of them', function()
  stop()
  vim.cmd('silent! bwipeout!')
  vim.cmd.edit(vim.fn.fnameescape(vim.env.INKWRIGHT_TEST_BOOK .. '/早.md'))
  t.messages()
  local verdict = t.event('InkwrightDecided', function()
    vim.cmd('Inkwright next')
    vim.cmd('Inkwright accept')
  end)
  t.eq({ 0 }, verdict.applied)
  t.eq((CHAPTER:gsub('走了,', '走了，'):gsub('\n$', '')), t.text())
  assert(not t.messages():find('没有等待决定的修改'))
end)

t.test('next twice and then reject are about the second from there', function()
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.api.nvim_buf_set_lines(0, 0, 0, true, { '' }) -- what is known of the hunks is out of date
  local verdict = t.event('InkwrightDecided', function()
    vim.cmd('Inkwright next')
    vim.cmd('Inkwright next')
    vim.cmd('Inkwright reject')
  end)
  t.eq({ 2 }, verdict.rejected)
end)

t.test('one who has gone elsewhere before the server was there is told', function()
  stop()
  vim.cmd('silent! bwipeout!')
  vim.cmd.edit(vim.fn.fnameescape(t.write('走开.md', CHAPTER)))
  t.messages()
  vim.cmd('Inkwright polish')
  t.wait('the server to be started', function()
    return vim.lsp.get_clients({ bufnr = 0, _uninitialized = true })[1]
  end)
  vim.cmd.new()
  said('polish 没有做：你换了文件')
  vim.cmd.bwipeout()
end)

t.test('a second book: what is asked for in the moment of opening is asked of its own server', function()
  t.write('乙书/book.toml', 'title = "乙书"\n')
  vim.cmd.edit(vim.fn.fnameescape(t.write('乙书/一.md', CHAPTER)))
  local ended = t.run('Inkwright polish')
  t.eq(vim.fs.normalize(vim.env.INKWRIGHT_TEST_BOOK .. '/乙书'), vim.lsp.get_client_by_id(ended.run.server).root_dir)
  t.eq(3, #ended.result.proposal.hunks)
end)

t.test('of five hundred hunks those near the window are drawn', function()
  local parts = { '# 长', '' }
  for day = 1, 500 do
    vim.list_extend(parts, { ('第%d日,他走到了渡口，看江水。'):format(day), '' })
  end
  local server = t.open(t.write('长.md', table.concat(parts, '\n')))
  local source = vim.api.nvim_get_current_buf()
  local sizes, request = {}, server.rpc.request
  server.rpc.request = function(method, params, callback, ...)
    if not params or params.command ~= 'inkwright.listProposals' then
      return request(method, params, callback, ...)
    end
    return request(method, params, function(err, result)
      table.insert(sizes, #vim.json.encode(result or {}))
      callback(err, result)
    end, ...)
  end
  t.run('Inkwright polish')
  local hunks = require('inkwright.hunks')
  t.wait('the hunks', function()
    return hunks.count(source) == 500
  end)
  local space = vim.api.nvim_get_namespaces()['inkwright.hunks']
  local function drawn(first, last)
    return #vim.api.nvim_buf_get_extmarks(source, space, { first, 0 }, { last, -1 }, {})
  end
  assert(drawn(0, 20) > 10)
  t.eq(0, drawn(200, -1))
  vim.api.nvim_win_set_cursor(0, { 900, 0 })
  vim.cmd.doautocmd('WinScrolled')
  assert(drawn(885, 915) > 10)
  t.eq(0, drawn(200, 700))
  vim.api.nvim_buf_set_text(source, 898, 0, 898, 0, { '再' })
  vim.cmd('Inkwright inline on') -- drawn anew for the text as it is
  t.wait('they follow the text', function()
    return drawn(885, 915) > 10 and drawn(0, 20) == 0
  end)
  server.rpc.request = request
  assert(#sizes >= 2)
  table.sort(sizes)
  io.stdout:write(('500 hunks: %d bytes once, then %d\n'):format(sizes[#sizes], sizes[1]))
  assert(sizes[#sizes - 1] < 500 * 20, vim.inspect(sizes)) -- their texts come once, then only their places
  t.event('InkwrightDecided', function()
    vim.cmd('Inkwright reject all')
  end)
  t.wait('none', function()
    return hunks.count(source) == 0 and drawn(0, -1) == 0
  end)
end)

t.finish()
