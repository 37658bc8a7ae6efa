-- The models there are: what works, whose key is missing, what they cost; and one set up.
local M = {}

local client = require('inkwright.client')
local errors = require('inkwright.errors')
local float = require('inkwright.float')
local lists = require('inkwright.lists')
local protocol = require('inkwright.protocol')
local tr = require('inkwright.i18n').tr

local MINUTES = 120000

---@param model string
---@param shown? integer the buffer of a window over the text, where what comes of it stands whole
local function try_out(model, shown)
  errors.say(tr('model_trying', model))
  client.execute(protocol.COMMANDS.test_model, { model = model }, function(found)
    local text = tr('model_works', model, found.latency or 0)
    if found.works then
      errors.say(text)
    else
      text = ('%s: %s'):format(model, found.error and found.error.message or '?')
      errors.fail(text)
    end
    if shown then
      float.put(shown, { text, '' })
    end
  end, { limit = MINUTES })
end

--- Asks for a key without showing it. The server keeps it until it ends; for good: `inkwright secrets set`.
---@param name string
---@param done? fun()
function M.key(name, done)
  local value = vim.fn.inputsecret(tr('model_key', name))
  vim.cmd.redraw()
  if vim.trim(value) == '' then
    return
  end
  client.execute(protocol.COMMANDS.set_secret, { name = name, value = value }, function()
    errors.say(tr('model_key_kept', name, name));
    (done or function() end)()
  end)
end

--- The name that a configured model's key has.
local function key_of(one)
  return (one.key or ''):match('^editor:(.+)$') or one.provider
end

--- Asks for the key of a model or of a vendor; a name that is neither's has no key.
---@param name string
function M.key_for(name)
  client.execute(protocol.COMMANDS.list_models, { vendors = true }, function(all)
    local names, key = {}, nil
    for _, one in ipairs(all) do
      if one.vendor or one.provider ~= 'offline' then
        table.insert(names, one.id)
        if one.id == name then
          key = key or (one.vendor and one.id or key_of(one))
        elseif not one.vendor and key_of(one) == name then
          key = key or name
        end
      end
    end
    if key then
      M.key(key)
    else
      table.sort(names)
      errors.fail(tr('model_unknown', name, table.concat(vim.fn.uniq(names), ' ')))
    end
  end)
end

--- Takes a key back that was given in this session.
---@param name string
function M.forget(name)
  client.execute(protocol.COMMANDS.forget_secret, { name = name }, function(found)
    errors.say(tr(found.forgotten and 'model_key_gone' or 'model_key_none', name))
  end)
end

--- Tries a model as soon as the server knows it: it asks for its settings in its own time.
local function try_when_known(name, left, shown)
  client.execute(protocol.COMMANDS.list_models, nil, function(all)
    local known = vim.iter(all):any(function(one)
      return one.id == name
    end)
    if known or left == 0 then
      try_out(name, shown)
    else
      vim.defer_fn(function()
        try_when_known(name, left - 1, shown)
      end, 100)
    end
  end)
end

--- A model that the writer's settings do not have, until Neovim ends, and the lines that would keep it.
---@param name string
---@param fields table
local function use(name, fields)
  local settings = { model = name, models = { [name] = fields } }
  client.configure(settings)
  local lines = { tr('model_keep_how'), '' }
  local shown = 'vim.g.inkwright = ' .. vim.inspect({ settings = settings })
  vim.list_extend(lines, vim.split(shown, '\n', { plain = true }))
  if fields.key then
    local key = fields.key:match('^editor:(.+)$') or name
    vim.list_extend(lines, { '', tr('model_keep_key', key, key) })
  end
  try_when_known(name, 30, (float.open(name, lines)))
end

local function ask(prompt, done, default)
  vim.ui.input({ prompt = prompt, default = default }, function(text)
    if text and vim.trim(text) ~= '' then
      done(vim.trim(text))
    end
  end)
end

--- A name for a model that settings, keys and the command line can take.
local function named(model)
  return (model:lower():gsub('[^%w]+', '-'):gsub('^-+', ''):gsub('-+$', ''))
end

--- The endpoint is there, though it gives no list of its models.
local THERE = { 'endpoint_auth', 'endpoint_no_list', 'endpoint_not_list' }

--- Has the writer pick one of the models that an endpoint offers, or type its name where it tells none.
---@param endpoint string
---@param key? string a reference to its key
---@param done fun(model: string)
---@param unreached? fun(reason: string) nothing was found there; without it the name is typed all the same
local function pick(endpoint, key, done, unreached)
  local function typed()
    ask(tr('model_name'), done)
  end
  local wish = { endpoint = endpoint, key = key }
  client.execute(protocol.COMMANDS.list_endpoint_models, wish, function(found)
    if unreached and found.error and not vim.list_contains(THERE, found.error.code) then
      unreached(found.error.message)
      return
    elseif found.error then
      errors.warn(found.error.message)
    end
    if found.error or #found.models == 0 then
      typed()
      return
    end
    lists.open(tr('model_which'), 'endpoint_model', function(show)
      local rows = vim.tbl_map(function(model)
        return {
          label = model,
          run = function()
            done(model)
          end,
        }
      end, found.models)
      table.insert(rows, { label = tr('model_other_name'), run = typed })
      show(rows)
    end)
  end, { failed = typed })
end

--- Any endpoint: its address, its key if it wants one, the model from its list or typed. An address at which there is
--- nothing is asked for again; given twice it is taken as it is.
---@param before? string
---@param reason? string
local function elsewhere(before, reason)
  ask((reason and reason .. '\n' or '') .. tr('model_endpoint'), function(endpoint)
    local host = endpoint:match('^https?://([^/?#]+)')
    if not host or endpoint:find('[%s@?]') then
      errors.fail(tr('model_no_address', endpoint))
      return
    end
    local secret = named(host)
    local value = vim.fn.inputsecret(tr('model_key_maybe', host))
    vim.cmd.redraw()
    local key = vim.trim(value) ~= '' and 'editor:' .. secret or nil
    local function go_on()
      pick(endpoint, key, function(model)
        local name = named(model)
        use(name ~= '' and name or secret, { endpoint = endpoint, model = model, key = key })
      end, endpoint ~= before and function(why)
        elsewhere(endpoint, why)
      end or nil)
    end
    if key then
      client.execute(protocol.COMMANDS.set_secret, { name = secret, value = value }, go_on)
    else
      go_on()
    end
  end, before)
end

--- A key makes the model of a vendor; where there are several the writer names one.
local function vendor(one)
  M.key(one.id, function()
    if not one.model then
      ask(tr('model_name'), function(model)
        use(named(model), { provider = one.id, model = model, key = 'editor:' .. one.id })
      end)
      return
    end
    client.execute(protocol.COMMANDS.list_models, nil, function(all)
      for _, model in ipairs(all) do
        if model.provider == one.id then
          client.configure({ model = model.id })
          try_out(model.id)
          return
        end
      end
    end)
  end)
end

---@return inkwright.Row
local function row(one)
  if one.vendor then
    return {
      label = ('%s  %s'):format(one.label, tr('model_no_key')),
      run = function()
        vendor(one)
      end,
    }
  end
  if one.found then
    return {
      label = ('%s  %s  %s'):format(one.label, tr('model_local'), table.concat(one.models, ' ')),
      acts = vim.tbl_map(function(model)
        return {
          label = model,
          run = function()
            use(named(model), { endpoint = one.endpoint, model = model })
          end,
        }
      end, one.models),
    }
  end
  local named_other = one.model ~= one.id and '  ' .. (one.model or tr('model_offline')) or ''
  local known = one.keyConfigured and '' or '  ' .. tr('model_no_key')
  local acts = {
    {
      label = tr('model_use'),
      run = function()
        client.configure({ model = one.id })
        errors.say(tr('model_used', one.id))
      end,
    },
    {
      label = tr('model_try'),
      run = function()
        try_out(one.id)
      end,
    },
  }
  if one.provider ~= 'offline' then
    table.insert(acts, {
      label = tr('model_give_key'),
      run = function(again)
        M.key(key_of(one), again)
      end,
    })
  end
  return {
    label = ('%s%s%s%s'):format(one.default and '* ' or '', one.id, named_other, known),
    acts = acts,
  }
end

--- The configured models, the servers of this machine, and the ways to a new one.
function M.open()
  lists.open(tr('models_title'), 'model', function(show)
    client.execute(protocol.COMMANDS.list_models, { vendors = true, discover = true }, function(all)
      local configured, rows = {}, {}
      for _, one in ipairs(all) do
        if one.provider and not one.vendor and not one.found then
          configured[one.provider] = true
        end
      end
      for _, one in ipairs(all) do
        if not (one.vendor and configured[one.id]) and not (one.found and #one.models == 0) then
          table.insert(rows, row(one))
        end
      end
      table.insert(rows, {
        label = tr('model_elsewhere'),
        run = function()
          elsewhere()
        end,
      })
      show(rows)
    end)
  end)
end

--- Tokens and money of the last 30 days.
function M.usage()
  client.execute(protocol.COMMANDS.usage, { uri = client.here() }, function(found)
    local function line(label, one)
      local cost = one.cost and ('%s %.4f%s'):format(one.currency or '', one.cost, one.estimated > 0 and ' ≈' or '')
        or '–'
      return tr('usage_line', label, cost, one.input, one.output)
    end
    local lines = {}
    for _, one in ipairs(found.totals) do
      table.insert(lines, line(tr('usage_total'), one))
    end
    for _, one in ipairs(found.days) do
      table.insert(lines, line(one.day, one))
    end
    float.open(tr('usage_title'), #lines > 0 and lines or { tr('usage_none') })
  end)
end

return M
