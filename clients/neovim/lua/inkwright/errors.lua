-- Saying things to the writer: once, in one place.
local M = {}

local tr = require('inkwright.i18n').tr

---@param message string
---@param level? integer vim.log.levels
function M.say(message, level)
  vim.notify('Inkwright: ' .. message, level or vim.log.levels.INFO)
end

function M.warn(message)
  M.say(message, vim.log.levels.WARN)
end

function M.fail(message)
  M.say(message, vim.log.levels.ERROR)
end

local said = {}

--- The same only once in a session.
function M.once(message)
  if not said[message] then
    said[message] = true
    M.warn(message)
  end
end

--- An error that the server answered a request with.
---@param err lsp.ResponseError|string
function M.response(err)
  M.fail(tr('request_failed', type(err) == 'table' and err.message or tostring(err)))
end

return M
