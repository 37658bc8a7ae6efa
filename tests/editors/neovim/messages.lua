-- Whatever the plugin says, on a screen of 80 by 24: said by a Neovim that is drawn, and never waiting for a key.
local t = dofile(vim.fs.dirname(arg[0]) .. '/driver.lua')
local LONG = ('很长的名字'):rep(30)

--- A Neovim with a screen.
local function screen(columns)
  local command = { vim.v.progpath, '--embed', '--clean', '-n', '-u', t.root .. '/tests/editors/neovim/init.lua' }
  local chan = vim.fn.jobstart(command, { rpc = true })
  vim.rpcrequest(chan, 'nvim_ui_attach', columns, 24, { rgb = true })
  local it = {}
  function it.lua(code, ...)
    it.free('what was before')
    return vim.rpcrequest(chan, 'nvim_exec_lua', code, { ... })
  end
  function it.free(what)
    local mode = vim.rpcrequest(chan, 'nvim_get_mode')
    assert(not mode.blocking, what .. ' waits for a key: ' .. mode.mode)
  end
  --- What stands in the lines for messages.
  function it.line()
    return it.lua([[
      local out = {}
      for row = vim.o.lines - vim.o.cmdheight + 1, vim.o.lines do
        for column = 1, vim.o.columns do
          table.insert(out, vim.fn.screenstring(row, column))
        end
      end
      return table.concat(out)
    ]])
  end
  function it.close()
    vim.fn.jobstop(chan)
  end
  return it
end

--- Every text of a language, as long as it may come.
local function texts(locale)
  local out = {}
  for code, text in vim.spairs(require('inkwright.texts.' .. locale)) do
    if type(text) == 'string' then
      local long = text:gsub('%%d', '123456'):gsub('%%s', LONG):gsub('%%%.%df', '12.5'):gsub('%%%%', '%%')
      table.insert(out, { code = code, text = long })
    end
  end
  assert(#out > 150)
  return out
end

t.plugin()

for _, locale in ipairs({ 'zh', 'en' }) do
  t.test('each message stands on its line, and the next one takes its place: ' .. locale, function()
    local it = screen(80)
    for _, way in ipairs({ 'set laststatus=2 ruler showcmd', 'set laststatus=0', 'set cmdheight=2' }) do
      it.lua('vim.cmd(...)', way)
      for _, one in ipairs(texts(locale)) do
        it.lua('require("inkwright.errors").fail(...)', one.text)
        local said = t.wait(one.code, function()
          it.free(one.code .. ' (' .. way .. ')')
          local line = it.lua('return vim.fn.execute("1messages")')
          return line:find(vim.trim(one.text:sub(1, 12):gsub('%s+', ' ')), 1, true) and line
        end)
        it.free(one.code .. ' (' .. way .. ')')
        -- The whole is among `:messages`, and where the screen has not all of it, it says so.
        local text = vim.trim((one.text:gsub('%s+', ' ')))
        assert(said:find(text, 1, true), said)
        t.wait(one.code .. ' on the screen', function()
          local shown = it.line()
          return shown:find(vim.fn.strcharpart(text, 0, 6), 1, true)
            and (shown:find(text, 1, true) or shown:find(':messages', 1, true))
        end)
      end
    end
    it.close()
  end)
end

t.test('a list that takes its time says that it is on its way, and no more once it is there', function()
  local it = screen(80)
  it.lua([[_G.over = require('inkwright.errors').wait('模型')]])
  t.wait('the sign', function()
    return it.line():find('Inkwright: 模型…', 1, true)
  end)
  it.lua([[_G.over(); require('inkwright.errors').say('好了')]])
  t.wait('what came', function()
    return it.line():find('好了', 1, true)
  end)
  it.close()
end)

t.test('what is refused of a rename stands on one line; the whole of it is kept', function()
  local it = screen(80)
  local path = t.write('第一章.md', '# 第一章\n\n天黑了。\n')
  it.lua('vim.cmd.edit(vim.fn.fnameescape(...))', path)
  t.wait('the server', function()
    return it.lua([[local c = vim.lsp.get_clients({ bufnr = 0 })[1]; return c and c.initialized or false]])
  end)
  it.lua('vim.lsp.buf.rename()')
  t.wait('the refusal', function()
    it.free('rename')
    return it.lua('return vim.fn.execute("1messages")'):find('这里没有卡片的名字', 1, true)
  end)
  it.lua('vim.cmd("Inkwright messages")')
  t.match('它自己文件里的名字上', it.lua('return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true))'))
  it.close()
end)

t.test("a server that ends by itself is told of on one line, in the writer's language", function()
  local it = screen(80)
  it.lua([[vim.g.inkwright = { locale = 'zh', cmd = { 'sh', '-c', 'read line; exit 3' } }]])
  it.lua('vim.cmd.edit(vim.fn.fnameescape(...))', t.write('第二章.md', '# 第二章\n'))
  t.wait('its end', function()
    it.free('the end of the server')
    return it.lua('return vim.fn.execute("1messages")'):find('Inkwright 服务器已退出', 1, true)
  end)
  it.free('the end of the server')
  it.close()
end)

t.finish()
