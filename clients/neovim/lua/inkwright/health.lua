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
  local open = client.any()
  return open and open.root_dir or vim.uv.cwd()
end

local function enabled()
  if vim.lsp.is_enabled then
    return vim.lsp.is_enabled(client.NAME)
  end
  return vim.lsp._enabled_configs[client.NAME] ~= nil
end

local PATIENCE = 10000

--- The models as the running server has them, with the editor's settings and what was chosen; nil without an answer.
---@return table[]?
local function models()
  local running = client.any()
  if not running then
    return nil
  end
  local params = { command = protocol.COMMANDS.list_models, arguments = { vim.empty_dict() } }
  local answer = running:request_sync('workspace/executeCommand', params, PATIENCE)
  return answer and not answer.err and answer.result or nil
end

--- What is told of the models: never what another process would take, without the settings of this one.
---@param all? table[]
local function tell_models(all)
  if not all then
    vim.health.info(tr('health_models_unknown'))
    return
  end
  for _, one in ipairs(all) do
    local plain = one.provider == 'offline'
    local name = plain and ('%s: %s'):format(one.id, tr('model_offline')) or ('%s: %s'):format(one.id, one.model)
    if not plain and one.keyConfigured == false then
      vim.health.warn(tr('health_model_no_key', one.id), tr('health_model_no_key_how', one.id))
    elseif one.default == true then
      vim.health.ok(tr('health_model_used', name))
    else
      vim.health.ok(tr('health_model', name))
    end
  end
end

--- Whether a check of the server's own is about the models.
local function is_of_models(check)
  local found = check.code == 'doctor_found'
  return check.name == 'model' and not found or check.code == 'key_missing_for'
end

--- Whether a check that does not fail tells of something that is wrong in the book.
local function is_remark(check)
  return check.name == 'index' and (check.code or '') ~= ''
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
    local all = models()
    -- Only where the editor says nothing of models are they the same for a process of its own.
    local same = not all and not next(config.get().settings)
    for _, check in ipairs(report.checks) do
      local text = tr('health_doctor', ('%s: %s'):format(check.name or '', check.message or check.detail or ''))
      if same or not is_of_models(check) then
        vim.health[check.ok and not is_remark(check) and 'ok' or 'warn'](text)
      end
    end
    if not same then
      tell_models(all)
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
