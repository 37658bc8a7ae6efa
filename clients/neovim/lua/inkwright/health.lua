-- :checkhealth inkwright
local M = {}

local client = require('inkwright.client')
local config = require('inkwright.config')
local protocol = require('inkwright.protocol')
local tr = require('inkwright.i18n').tr

local function version()
  local v = vim.version()
  return ('%d.%d.%d'):format(v.major, v.minor, v.patch)
end

local function run(cmd, limit)
  local ok, done = pcall(function()
    return vim.system(cmd, { text = true }):wait(limit)
  end)
  if not ok then
    return nil, tostring(done)
  end
  return done, vim.trim((done.stderr ~= '' and done.stderr or done.stdout) or '')
end

--- Whether plugin and server are of one version.
local function match(said)
  local theirs, ours = vim.version.parse(said, { strict = false }), vim.version.parse(protocol.VERSION)
  if theirs and ours and theirs.major == ours.major and theirs.minor == ours.minor then
    vim.health.ok(tr('health_match', protocol.VERSION))
  else
    vim.health.warn(tr('version_mismatch', said, protocol.VERSION), tr('health_match_how'))
  end
end

--- The folder that is asked about: the book that is open, else where Neovim stands.
local function book()
  local open = vim.lsp.get_clients({ name = client.NAME })[1]
  return open and open.root_dir or vim.uv.cwd()
end

local function enabled()
  if vim.lsp.is_enabled then
    return vim.lsp.is_enabled(client.NAME)
  end
  return vim.lsp._enabled_configs[client.NAME] ~= nil
end

local function server()
  local cmd, name = client.command()
  if not cmd then
    vim.health.error(tr('health_server_missing', name), tr('health_server_how'))
    return
  end
  if #cmd == 0 then
    return
  end
  local base = vim.deepcopy(cmd)
  if base[#base] == 'lsp' then
    table.remove(base)
  end
  local done, said = run(vim.list_extend(vim.deepcopy(base), { '--version' }), 15000)
  if not done or done.code ~= 0 then
    vim.health.error(tr('health_server_broken', table.concat(cmd, ' '), said), tr('health_server_how'))
    return
  end
  vim.health.ok(tr('health_server', vim.trim(done.stdout), vim.fn.exepath(cmd[1])))
  match(vim.trim(done.stdout))
  local checked = run(vim.list_extend(base, { 'doctor', book(), '--json' }), 45000)
  local ok, report = pcall(vim.json.decode, checked and checked.stdout or '')
  if ok and type(report) == 'table' and type(report.checks) == 'table' then
    for _, check in ipairs(report.checks) do
      local text = tr('health_doctor', ('%s: %s'):format(check.name or '', check.message or check.detail or ''))
      if check.ok then
        vim.health.ok(text)
      else
        vim.health.warn(text)
      end
    end
  else
    vim.health.warn(tr('health_doctor_silent'), 'inkwright doctor')
  end
end

local function attached()
  local found = vim.lsp.get_clients({ name = client.NAME })
  if #found == 0 then
    vim.health.info(tr('health_not_attached'))
  end
  for _, one in ipairs(found) do
    local info = one.server_info or {}
    vim.health.ok(
      tr(
        'health_attached',
        ('%s %s'):format(info.name or one.name, info.version or ''),
        one.offset_encoding,
        vim.tbl_count(one.attached_buffers)
      )
    )
  end
end

function M.check()
  vim.health.start('Inkwright')
  if vim.fn.has('nvim-0.11') == 0 then
    vim.health.error(tr('health_version_old', version()))
    return
  end
  vim.health.ok(tr('health_version', version()))
  server()
  if enabled() then
    vim.health.ok(tr('health_enabled'))
  else
    vim.health.warn(tr('health_not_enabled'), tr('health_not_enabled_how'))
  end
  attached()
  local _, bad = config.read()
  if #bad == 0 then
    vim.health.ok(tr('health_options'))
  end
  for _, one in ipairs(bad) do
    vim.health.warn(config.complaint(one))
  end
end

return M
