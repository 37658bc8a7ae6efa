-- What is remembered for a book: seen, added, edited, pinned and deleted.
local M = {}

local client = require('inkwright.client')
local errors = require('inkwright.errors')
local lists = require('inkwright.lists')
local protocol = require('inkwright.protocol')
local tr = require('inkwright.i18n').tr

local MOST = 500

M.TYPES = { 'preference', 'decision', 'lesson' }

local function type_name(kind)
  return tr('memory_types')[kind] or kind
end

--- One that was changed or deleted elsewhere meanwhile stays as it is; the list shows how.
local function change(command, argument, said, again)
  client.execute(command, argument, function()
    errors.say(said)
    again()
  end, {
    failed = function(err)
      local code = type(err.data) == 'table' and err.data.code
      if code == 'revision_conflict' or code == 'memory_unknown' then
        again()
      end
    end,
  })
end

---@param uri string
---@param memory inkwright.Memory
---@return inkwright.Act[]
local function acts(uri, memory)
  local id, revision = memory.id, memory.revision
  return {
    {
      label = tr('memory_edit'),
      run = function(again)
        -- What is asked for has one line.
        local shown = memory.content:gsub('%s*\n%s*', ' ')
        vim.ui.input({ prompt = tr('memory_content'), default = shown }, function(content)
          if content and vim.trim(content) ~= '' and content ~= shown then
            local argument = { uri = uri, id = id, revision = revision, content = content }
            change(protocol.COMMANDS.update_memory, argument, tr('memory_changed'), again)
          else
            again()
          end
        end)
      end,
    },
    {
      label = memory.pinned and tr('memory_unpin') or tr('memory_pin'),
      run = function(again)
        local argument = { uri = uri, id = id, revision = revision, pinned = not memory.pinned }
        change(protocol.COMMANDS.update_memory, argument, tr('memory_changed'), again)
      end,
    },
    {
      label = tr('memory_delete'),
      run = function(again)
        local argument = { uri = uri, id = id, revision = revision }
        change(protocol.COMMANDS.delete_memory, argument, tr('memory_deleted'), again)
      end,
    },
  }
end

--- Keeps what is given, or asks for it.
---@param content? string
---@param uri? string
---@param done? fun()
function M.add(content, uri, done)
  uri = uri or client.here()
  done = done or function() end
  local function keep(text)
    if not text or vim.trim(text) == '' then
      done()
      return
    end
    vim.cmd.redraw() -- else it stands behind what was typed
    vim.ui.select(
      M.TYPES,
      { prompt = lists.cut(tr('memory_which', text)), kind = 'inkwright.memory_type', format_item = type_name },
      function(kind)
        if kind then
          change(protocol.COMMANDS.add_memory, { uri = uri, content = text, type = kind }, tr('memory_added'), done)
        else
          done()
        end
      end
    )
  end
  if content and content ~= '' then
    keep(content)
  else
    vim.ui.input({ prompt = tr('memory_content') }, keep)
  end
end

--- Forgets everything, if the writer is sure.
---@param uri? string
---@param done? fun()
function M.clear(uri, done)
  uri = uri or client.here()
  done = done or function() end
  local ways = { tr('memory_keep'), tr('memory_clear') }
  vim.ui.select(ways, { prompt = tr('memory_sure'), kind = 'inkwright.sure' }, function(_, index)
    if index ~= 2 then
      done()
      return
    end
    client.execute(protocol.COMMANDS.clear_memories, { uri = uri }, function(result)
      errors.say(tr('memory_cleared', result.cleared))
      done()
    end)
  end)
end

function M.open()
  local uri = client.here()
  lists.open(tr('memory_title'), 'memory', function(show)
    client.execute(protocol.COMMANDS.list_memories, { uri = uri, limit = MOST }, function(page)
      local rows = {}
      for _, memory in ipairs(page.memories) do
        local kind = memory.ability ~= '' and type_name(memory.type) .. ' · ' .. memory.ability
          or type_name(memory.type)
        local pin = memory.pinned and tr('memory_pinned') or ''
        table.insert(rows, {
          label = ('%s%s  (%s)'):format(pin, lists.short(memory.content, 60), kind),
          acts = acts(uri, memory),
        })
      end
      table.insert(rows, {
        label = tr('memory_add'),
        run = function(again)
          M.add(nil, uri, again)
        end,
      })
      if #page.memories > 0 then
        table.insert(rows, {
          label = tr('memory_clear'),
          run = function(again)
            M.clear(uri, again)
          end,
        })
      end
      show(rows)
    end)
  end)
end

return M
