-- Helpers for tests that run inside Neovim, with no plugin manager and no test framework:
--
--   nvim --clean --headless -n -l TEST.lua      (exit code 1 if a test fails)
local M = { passed = 0, failed = 0, said = {} }

local here = vim.fs.dirname(vim.fs.normalize(debug.getinfo(1, 'S').source:sub(2)))
M.root = vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(here)))

--- Puts the plugin on the runtimepath and sources its plugin/ files, as a start-up would: `-l` skips both.
function M.plugin()
  local dir = M.root .. '/clients/neovim'
  vim.opt.runtimepath:prepend(dir)
  for _, file in ipairs(vim.fn.globpath(dir, '{plugin,ftdetect}/*', false, true)) do
    vim.cmd.source(vim.fn.fnameescape(file))
  end
  vim.cmd('filetype plugin on')
end

--- The plugin as a writer has it: the server that the test run was given, and `vim.lsp.enable`.
function M.start(options)
  vim.notify = function(message, level)
    table.insert(M.said, { message = message, level = level })
  end
  vim.g.inkwright = vim.tbl_extend('force', { cmd = vim.json.decode(vim.env.INKWRIGHT_TEST_SERVER) }, options or {})
  M.plugin()
  vim.lsp.enable('inkwright')
end

--- Runs the event loop until f() is truthy and returns that; an error after `ms`.
function M.wait(what, f, ms)
  local result
  local ok = vim.wait(ms or 120000, function()
    result = f()
    return result ~= nil and result ~= false
  end, 10)
  if not ok then
    error('timed out: ' .. what .. '\n' .. vim.inspect(M.said), 2)
  end
  return result
end

function M.eq(want, got)
  if not vim.deep_equal(want, got) then
    error(('want %s\n     got %s'):format(vim.inspect(want), vim.inspect(got)), 2)
  end
end

function M.match(pattern, text)
  if not tostring(text):find(pattern) then
    error(('%q is not in:\n%s'):format(pattern, tostring(text)), 2)
  end
end

function M.test(name, f)
  local ok, err = xpcall(f, debug.traceback)
  M[ok and 'passed' or 'failed'] = M[ok and 'passed' or 'failed'] + 1
  io.stdout:write((ok and 'ok   ' or 'FAIL ') .. name .. '\n')
  if not ok then
    io.stdout:write('     ' .. tostring(err):gsub('\n', '\n     ') .. '\n')
  end
end

--- Ends the servers, prints the closing line and leaves with 1 if a test failed.
function M.finish()
  vim.lsp.stop_client(vim.lsp.get_clients())
  vim.wait(5000, function()
    return #vim.lsp.get_clients() == 0
  end, 20)
  vim.lsp.stop_client(vim.lsp.get_clients(), true)
  io.stdout:write(('%d passed, %d failed\n'):format(M.passed, M.failed))
  io.stdout:flush()
  os.exit(M.failed == 0 and M.passed > 0 and 0 or 1)
end

-- -- buffers -------------------------------------------------------------------------------

function M.write(name, text)
  local path = vim.env.INKWRIGHT_TEST_BOOK .. '/' .. name
  vim.fn.mkdir(vim.fs.dirname(path), 'p')
  local file = assert(io.open(path, 'wb'))
  file:write(text)
  file:close()
  return path
end

function M.read(path)
  local file = assert(io.open(path, 'rb'))
  local text = file:read('a')
  file:close()
  return text
end

--- Opens a file and waits for the client.
function M.open(path)
  vim.cmd.edit(vim.fn.fnameescape(path))
  return M.wait('client', function()
    local c = vim.lsp.get_clients({ name = 'inkwright', bufnr = 0 })[1]
    return c and c.initialized and c
  end)
end

function M.text(bufnr)
  return table.concat(vim.api.nvim_buf_get_lines(bufnr or 0, 0, -1, true), '\n')
end

--- Puts the cursor on the first place of a text in the buffer.
function M.cursor(text)
  for i, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do
    local at = line:find(text, 1, true)
    if at then
      vim.api.nvim_win_set_cursor(0, { i, at - 1 })
      return
    end
  end
  error('not in the buffer: ' .. text, 2)
end

--- Presses keys as a writer does.
function M.keys(keys)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, false, true), 'xm', false)
end

-- -- the plugin ----------------------------------------------------------------------------

--- Does something and waits for the plugin's event that answers it; returns its data, true for none.
function M.event(pattern, act)
  local data
  local id = vim.api.nvim_create_autocmd('User', {
    pattern = pattern,
    callback = function(ev)
      data = ev.data or true
    end,
  })
  act()
  M.wait(pattern, function()
    return data
  end)
  vim.api.nvim_del_autocmd(id)
  return data
end

--- Kills the server, as nothing in it can help.
function M.kill()
  local found = vim.fn.system({ 'pgrep', '-P', tostring(vim.fn.getpid()), '-f', 'inkwright' })
  vim.uv.kill(vim.fn.matchstr(found, '\\d\\+') + 0, 9)
end

function M.run(command)
  return M.event('InkwrightRunEnded', function()
    vim.cmd(command)
  end)
end

--- The buffers of a kind (`proposal` or `run`) that the plugin shows.
function M.shown(kind)
  for _, win in ipairs(vim.api.nvim_list_wins()) do
    local buf = vim.api.nvim_win_get_buf(win)
    if vim.api.nvim_buf_get_name(buf):find('inkwright://' .. kind, 1, true) then
      return buf, win
    end
  end
end

--- Waits for the review, and for what it shows to fit `f`.
function M.review(f)
  return M.wait('review', function()
    local buf, win = M.shown('proposal')
    return buf and (not f or f(M.text(buf))) and { buf = buf, win = win }
  end)
end

function M.no_review()
  M.wait('the review to close', function()
    return not M.shown('proposal')
  end)
end

--- The messages said since the last call.
function M.messages()
  local out = vim
    .iter(M.said)
    :map(function(one)
      return one.message
    end)
    :join('\n')
  M.said = {}
  return out
end

--- Runs the real vim.lsp.buf.code_action and picks by title. Returns all titles.
function M.code_action(title)
  local select, titles = vim.ui.select, nil
  vim.ui.select = function(items, _, choose)
    titles = {}
    local pick
    for _, item in ipairs(items) do
      table.insert(titles, item.action.title)
      if title and not pick and item.action.title:find(title, 1, true) then
        pick = item
      end
    end
    choose(pick)
  end
  vim.lsp.buf.code_action()
  local ok, err = pcall(M.wait, 'code actions', function()
    return titles
  end)
  vim.ui.select = select
  if not ok then
    error(err, 2)
  end
  return titles
end

return M
