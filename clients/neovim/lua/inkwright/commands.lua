-- `:Inkwright {command}`: reading what was typed, completing it, and handing it on.
local M = {}

local acts = require('inkwright.acts')
local errors = require('inkwright.errors')
local tr = require('inkwright.i18n').tr

--- The commands, in order.
---@return string[]
function M.names()
  local out = vim.tbl_keys(acts)
  table.sort(out)
  return out
end

--- Whether lines of the window in front are lines of a chapter; where they are not, it is said where to select some.
local function selects()
  local here = vim.api.nvim_get_current_buf()
  local source = require('inkwright.sources').of(here)
  local elsewhere = source ~= here and not require('inkwright.view').of(here)
  if elsewhere then
    errors.fail(tr('select_there', vim.fs.basename(vim.api.nvim_buf_get_name(source))))
  end
  return not elsewhere
end

---@param given vim.api.keyset.create_user_command.command_args
function M.run(given)
  local words = vim.list_slice(given.fargs)
  local name = table.remove(words, 1)
  if not name then
    errors.say(tr('usage'))
    return
  end
  local command = acts[name]
  if not command then
    errors.fail(tr('unknown_command', name, table.concat(M.names(), ' ')))
    return
  end
  if command.only and words[1] then
    local known = command.complete and command.complete({}) or {}
    if not vim.list_contains(known, words[1]) then
      errors.fail(tr(#known > 0 and 'unknown_word' or 'no_word', name, words[1], table.concat(known, ' ')))
      return
    end
  end
  require('inkwright.float').leave()
  if command.alone == true or type(command.alone) == 'function' and command.alone(words) then
    command.run(words, given)
    return
  end
  if command.ranged and given.range > 0 and not selects() then
    return
  end
  local source = vim.api.nvim_get_current_buf()
  require('inkwright.server').when_ready(function()
    if vim.api.nvim_get_current_buf() == source then
      command.run(words, given)
    else
      errors.warn(tr('not_done_elsewhere', name))
    end
  end, name, command.any and command.any(words))
end

---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  local words = vim.split(vim.trim(line), '%s+')
  while words[1] and not words[1]:match('^.-Ink') do
    table.remove(words, 1)
  end
  table.remove(words, 1)
  if lead ~= '' then
    table.remove(words)
  end
  local found = M.names()
  if words[1] then
    local command = acts[words[1]]
    found = command and command.complete and command.complete(vim.list_slice(words, 2)) or {}
  end
  return vim
    .iter(found)
    :filter(function(name)
      return vim.startswith(name, lead)
    end)
    :totable()
end

return M
