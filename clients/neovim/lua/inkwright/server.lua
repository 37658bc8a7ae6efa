-- The server's comings and goings: waited for, started without a file, started anew.
local M = {}

local client = require('inkwright.client')
local errors = require('inkwright.errors')
local tr = require('inkwright.i18n').tr
local sources = require('inkwright.sources')

local PATIENCE = 60000 -- milliseconds in which a server must have started

---@class inkwright.Act.Waiting
---@field act fun()
---@field name string what the writer typed for it

---@type table<integer, inkwright.Act.Waiting[]> what waits for a server that is starting, in order, by its client's id
local waiting = {}

--- What waited for a server that does not come is not done, and the writer is told.
---@param id integer of its client
---@param reason string code of the text that says why, and what to do
---@return boolean waited
local function dropped(id, reason)
  local acts = waiting[id]
  waiting[id] = nil
  if not acts then
    return false
  end
  local names = vim.tbl_map(function(one)
    return one.name
  end, acts)
  errors.fail(tr(reason, table.concat(names, ', ')))
  return true
end

--- A server has ended.
---@param id integer of its client
---@return boolean waited whether something had waited for it
function M.gone(id)
  return dropped(id, 'not_done_ended')
end

---@param starting vim.lsp.Client
---@param act fun()
---@param name string
local function wait_for(starting, act, name)
  local id = starting.id
  errors.say(tr('starting'))
  if waiting[id] then
    table.insert(waiting[id], { act = act, name = name })
    return
  end
  waiting[id] = { { act = act, name = name } }
  vim.api.nvim_create_autocmd('LspAttach', {
    group = vim.api.nvim_create_augroup('inkwright.starting', { clear = false }),
    desc = 'Inkwright: what waits for the server',
    callback = function(ev)
      if ev.data.client_id ~= id then
        return false
      end
      vim.schedule(function()
        local acts = waiting[id] or {}
        waiting[id] = nil
        for _, one in ipairs(acts) do
          one.act()
        end
      end)
      return true
    end,
  })
  vim.defer_fn(function()
    dropped(id, 'not_done_slow')
  end, PATIENCE)
end

--- Does something with the server that holds the text in front, and with no other unless it is about no text: now, or as
--- soon as the one that is starting has started. When that ends before, the writer is told that it was not done.
---@param act fun()
---@param name string what the writer typed for it
---@param any? boolean it is about no text
function M.when_ready(act, name, any)
  local source = sources.of()
  local function go(last)
    local own = vim.lsp.get_clients({ name = client.NAME, bufnr = source, _uninitialized = true })[1]
    if not own and not last and vim.lsp.is_enabled(client.NAME) and client.command() then
      -- Of a text that was opened in this very moment the server is started in the next.
      vim.schedule(function()
        go(true)
      end)
      return
    end
    local there = own
      or any and client.any()
      or any and vim.lsp.get_clients({ name = client.NAME, _uninitialized = true })[1]
    if there and not there.initialized then
      wait_for(there, act, name)
    elseif there and (any or client.find(source)) then
      act()
    else
      errors.fail(client.missing(source))
    end
  end
  go(false)
end

--- Does something with a server, one that is started for it where none runs.
---@param folder string
---@param act fun()
---@param name string what the writer typed for it
function M.without_a_file(folder, act, name)
  local config_now = vim.lsp.config[client.NAME]
  if client.any() or not client.command() or not config_now then
    M.when_ready(act, name, true)
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
        errors.fail(client.missing())
      end
    end)
  )
end

--- Says that the server is back, once it is. One that does not come says why by itself.
local function tell_restarted()
  local starting = vim.tbl_filter(function(server)
    return not server:is_stopped() -- the one before may still be listed
  end, vim.lsp.get_clients({ name = client.NAME, _uninitialized = true }))
  if #starting == 0 then
    errors.say(tr('restarted_none'))
    return
  end
  local timer, ends = assert(vim.uv.new_timer()), vim.uv.now() + PATIENCE
  timer:start(
    0,
    20,
    vim.schedule_wrap(function()
      local there = vim.iter(starting):all(function(server)
        return server.initialized == true
      end)
      local dead = vim.iter(starting):any(function(server)
        return server:is_stopped()
      end)
      if timer:is_closing() or not (there or dead or vim.uv.now() > ends) then
        return
      end
      timer:close()
      if there and not dead then
        errors.say(tr('restarted'))
      end
    end)
  )
end

--- Starts the server anew for every buffer that it had; what it does not end by itself in time is ended.
function M.restart()
  errors.say(tr('restarting'))
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
      vim.schedule(tell_restarted)
    end)
  )
end

return M
