-- The plugin's own texts, in the writer's language. What the server says comes in its language already.
local M = {}

---@return 'zh'|'en'
function M.locale()
  local wanted = require('inkwright.config').get().locale
  if wanted == 'zh' or wanted == 'en' then
    return wanted
  end
  local lang = vim.env.LC_ALL or vim.env.LC_MESSAGES or vim.env.LANG or vim.v.lang or ''
  if vim.v.lang and vim.v.lang:match('^zh') then
    return 'zh'
  end
  return lang:match('^zh') and 'zh' or 'en'
end

--- Behind a count "{one|many}" stands for the words that agree with it.
local function agreed(text)
  return (
    text:gsub('(%d+) {([^{}|]*)|([^{}|]*)}', function(count, one, many)
      return count .. ' ' .. (count == '1' and one or many)
    end)
  )
end

--- The text for `code`; a table comes as it is.
---@param code string
---@return string|table
function M.tr(code, ...)
  local text = require('inkwright.texts.' .. M.locale())[code]
  if type(text) == 'string' and select('#', ...) > 0 then
    return agreed(text:format(...))
  end
  return text or code
end

return M
