-- The server's comings and goings: waited for, started without a file, started anew.
local M = {}

local client = require('inkwright.client')
local errors = require('inkwright.errors')
local tr = require('inkwright.i18n').tr

--- Does something with a server: now, or as soon as the one that is starting has started.
---@param act fun()
function M.when_ready(act)
  local there = vim.lsp.get_clients({ name = client.NAME })[1]
  local starting = not there and vim.lsp.get_clients({ name = client.NAME, _uninitialized = true })[1]
  if there then
    act()
  elseif starting then
    errors.say(tr('starting'))
    vim.api.nvim_create_autocmd('LspAttach', {
      group = vim.api.nvim_create_augroup('inkwright.starting', { clear = false }),
      desc = 'Inkwright: what waits for the server',
      callback = function(ev)
        if ev.data.client_id == starting.id then
          vim.schedule(act)
          return true
        end
      end,
    })
  else
    client.get()
  end
end

--- Does something with a server, one that is started for it where none runs.
---@param folder string
---@param act fun()
function M.without_a_file(folder, act)
  local config_now = vim.lsp.config[client.NAME]
  if client.find() or not client.command() or not config_now then
    M.when_ready(act)
    return
  end
  local id = vim.lsp.start(vim.tbl_extend('force', config_now, { root_dir = folder }), { attach = false })
  local server = id and vim.lsp.get_client_by_id(id)
  local tries, timer = 500, assert(vim.uv.new_timer())
  timer:start(
    0,
    20,
    vim.schedule_wrap(function()
      tries = tries - 1
      if timer:is_closing() or (server and not server.initialized and tries > 0) then
        return
      end
      timer:close()
      if server and server.initialized then
        act()
      else
        client.get()
      end
    end)
  )
end

--- Starts the server anew for every buffer that it had; what it does not end by itself in time is ended.
function M.restart()
  local attached = {}
  local old = vim.lsp.get_clients({ name = client.NAME })
  for _, server in ipairs(old) do
    vim.list_extend(attached, vim.tbl_keys(server.attached_buffers))
    server:stop()
  end
  local tries, timer = 150, assert(vim.uv.new_timer())
  timer:start(
    0,
    20,
    vim.schedule_wrap(function()
      if timer:is_closing() then
        return
      end
      local left = vim.tbl_filter(function(server)
        return not server:is_stopped()
      end, old)
      tries = tries - 1
      if tries == 0 then
        for _, server in ipairs(left) do
          server:stop(true)
        end
      end
      if #left > 0 and tries > -50 then
        return
      end
      timer:close()
      vim.lsp.enable(client.NAME)
      for _, bufnr in ipairs(attached) do
        if vim.api.nvim_buf_is_valid(bufnr) then
          vim.api.nvim_exec_autocmds('FileType', { buffer = bufnr, group = 'nvim.lsp.enable' })
        end
      end
      errors.say(tr('restarted'))
    end)
  )
end

return M
