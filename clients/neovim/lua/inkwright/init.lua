-- What a configuration may call.
local M = {}

--- Takes options (see |inkwright-options|) and enables the server. Same as setting `vim.g.inkwright`
--- and calling `vim.lsp.enable('inkwright')`; what is wrong with the options is said at once.
---@param options? inkwright.Options
function M.setup(options)
  vim.g.inkwright = options == nil and vim.empty_dict() or options
  local config = require('inkwright.config')
  for _, one in ipairs(select(2, config.read())) do
    require('inkwright.errors').once(config.complaint(one))
  end
  vim.lsp.enable('inkwright')
end

--- What is going on, for a statusline: '' when nothing is.
---@return string
function M.status()
  return require('inkwright.progress').status()
end

--- What is going on, else what waits and how much is written, for a statusline. Reads what is known and never waits;
--- what may be out of date is asked for in the background.
---@return string
function M.statusline()
  return require('inkwright.statusline').text()
end

return M
