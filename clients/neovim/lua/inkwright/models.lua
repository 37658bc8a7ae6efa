-- The models there are: what works, whose key is missing, what they cost.
local M = {}

local client = require('inkwright.client')
local errors = require('inkwright.errors')
local float = require('inkwright.float')
local lists = require('inkwright.lists')
local protocol = require('inkwright.protocol')
local tr = require('inkwright.i18n').tr

local function try_out(model)
  errors.say(tr('model_trying', model))
  client.execute(protocol.COMMANDS.test_model, { model = model }, function(found)
    if found.works then
      errors.say(tr('model_works', model, found.latency or 0))
    else
      errors.fail(('%s: %s'):format(model, found.error and found.error.message or '?'))
    end
  end)
end

--- Asks for a key without showing it. The server keeps it until it ends; for good: `inkwright secrets set`.
---@param name string
---@param again? fun()
function M.key(name, again)
  local value = vim.fn.inputsecret(tr('model_key', name))
  if vim.trim(value) == '' then
    return
  end
  client.execute(protocol.COMMANDS.set_secret, { name = name, value = value }, function()
    errors.say(tr('model_key_kept', name));
    (again or function() end)()
  end)
end

---@return inkwright.Row
local function row(one)
  if one.vendor then
    return {
      label = ('%s  %s'):format(one.label, tr('model_no_key')),
      run = function(again)
        M.key(one.id, again)
      end,
    }
  end
  if one.found then
    return {
      label = ('%s  %s  %s'):format(one.label, tr('model_local'), table.concat(one.models, ' ')),
      run = function()
        float.open(one.label, vim.split(one.config, '\n', { trimempty = true }))
      end,
    }
  end
  local known = one.keyConfigured and '' or '  ' .. tr('model_no_key')
  return {
    label = ('%s%s  %s%s'):format(one.default and '* ' or '', one.id, one.model or tr('model_offline'), known),
    acts = {
      {
        label = tr('model_try'),
        run = function()
          try_out(one.id)
        end,
      },
      {
        label = tr('model_give_key'),
        run = function(again)
          M.key(one.provider, again)
        end,
      },
    },
  }
end

--- The configured models, the vendors that a key would add, and the servers of this machine.
function M.open()
  lists.open(tr('models_title'), function(show)
    client.execute(protocol.COMMANDS.list_models, { vendors = true, discover = true }, function(all)
      local configured = {}
      for _, one in ipairs(all) do
        if one.provider and not one.vendor and not one.found then
          configured[one.provider] = true
        end
      end
      show(vim
        .iter(all)
        :filter(function(one)
          return not (one.vendor and configured[one.id])
        end)
        :map(row)
        :totable())
    end)
  end)
end

--- Tokens and money of the last 30 days.
function M.usage()
  client.execute(protocol.COMMANDS.usage, { uri = client.here() }, function(found)
    local function line(label, one)
      local cost = one.cost and ('%s %.4f%s'):format(one.currency or '', one.cost, one.estimated > 0 and ' ≈' or '') or '–'
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
