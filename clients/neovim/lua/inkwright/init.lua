-- What a configuration may call.
local M = {}

--- Takes options (see |inkwright-options|) and enables the server. Same as setting `vim.g.inkwright`
--- and calling `vim.lsp.enable('inkwright')`.
---@param options? inkwright.Options
function M.setup(options)
  vim.g.inkwright = options or vim.empty_dict()
  vim.lsp.enable('inkwright')
end

--- What is going on, for a statusline: '' when nothing is.
---@return string
function M.status()
  return require('inkwright.runs').status()
end

return M
