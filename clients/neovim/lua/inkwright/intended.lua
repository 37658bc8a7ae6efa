-- What the writer has called intended: looked at, and taken back.
local M = {}

local client = require('inkwright.client')
local errors = require('inkwright.errors')
local lists = require('inkwright.lists')
local protocol = require('inkwright.protocol')
local tr = require('inkwright.i18n').tr

---@param uri string
---@param one { path?: string, text: string, code: string }
---@return inkwright.Row
local function row(uri, one)
  local where = one.path or tr('intended_everywhere')
  return {
    label = ('%s  %s  %s'):format(lists.short(one.text, 40), one.code, where),
    acts = {
      {
        label = tr('intended_take_back'),
        run = function(again)
          client.execute(protocol.COMMANDS.unintend, { uri = uri, ids = { one.id } }, again)
        end,
      },
    },
  }
end

function M.open()
  local uri = client.here()
  lists.open(tr('intended_title'), 'intended', function(show)
    client.execute(protocol.COMMANDS.list_intended, { uri = uri }, function(found)
      for _, problem in ipairs(found.problems) do
        errors.fail(problem.message)
      end
      if #found.intended == 0 then
        errors.say(tr('intended_none'))
        return
      end
      show(vim
        .iter(found.intended)
        :map(function(one)
          return row(uri, one)
        end)
        :totable())
    end)
  end)
end

return M
