-- The models there are: what works, whose key is missing, what they cost; and one set up.
local M = {}

local client = require('inkwright.client')
local errors = require('inkwright.errors')
local float = require('inkwright.float')
local lists = require('inkwright.lists')
local protocol = require('inkwright.protocol')
local tr = require('inkwright.i18n').tr

local MINUTES = 120000

local function try_out(model)
  errors.say(tr('model_trying', model))
  client.execute(protocol.COMMANDS.test_model, { model = model }, function(found)
    if found.works then
      errors.say(tr('model_works', model, found.latency or 0))
    else
      errors.fail(('%s: %s'):format(model, found.error and found.error.message or '?'))
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

--- Takes a key back that was given in this session.
---@param name string
function M.forget(name)
  client.execute(protocol.COMMANDS.forget_secret, { name = name }, function(found)
    errors.say(tr(found.forgotten and 'model_key_gone' or 'model_key_none', name))
  end)
end

--- Tries a model as soon as the server knows it: it asks for its settings in its own time.
local function try_when_known(name, left)
  client.execute(protocol.COMMANDS.list_models, nil, function(all)
    local known = vim.iter(all):any(function(one)
      return one.id == name
    end)
    if known or left == 0 then
      try_out(name)
    else
      vim.defer_fn(function()
        try_when_known(name, left - 1)
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
    vim.list_extend(lines, { '', tr('model_keep_key', name, name) })
  end
  float.open(name, lines)
  try_when_known(name, 30)
end

local function ask(prompt, done)
  vim.ui.input({ prompt = prompt }, function(text)
    if text and vim.trim(text) ~= '' then
      done(vim.trim(text))
    end
  end)
end

--- A name for a model that settings, keys and the command line can take.
local function named(model)
  return (model:lower():gsub('[^%w]+', '-'):gsub('^-+', ''):gsub('-+$', ''))
end

--- Any endpoint: its address, the model's name, its key if it wants one.
local function elsewhere()
  ask(tr('model_endpoint'), function(endpoint)
    ask(tr('model_name'), function(model)
      local name = named(model)
      local value = vim.fn.inputsecret(tr('model_key_maybe', name))
      vim.cmd.redraw()
      if vim.trim(value) == '' then
        use(name, { endpoint = endpoint, model = model })
        return
      end
      client.execute(protocol.COMMANDS.set_secret, { name = name, value = value }, function()
        use(name, { endpoint = endpoint, model = model, key = 'editor:' .. name })
      end)
    end)
  end)
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
        M.key((one.key or ''):match('^editor:(.+)$') or one.provider, again)
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
      table.insert(rows, { label = tr('model_elsewhere'), run = elsewhere })
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
