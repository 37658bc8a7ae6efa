-- What a run is asked for: the ability, the place, the words.
local M = {}

local client = require('inkwright.client')
local errors = require('inkwright.errors')
local lists = require('inkwright.lists')
local profiles = require('inkwright.profiles')
local tr = require('inkwright.i18n').tr
local sources = require('inkwright.sources')

--- The selection as an LSP range; nil when nothing was selected. A selection within lines is taken to the
--- character, if the range of the command is that selection.
---@param given vim.api.keyset.create_user_command.command_args
---@return lsp.Range?
function M.selection(given)
  if given.range == 0 then
    return nil
  end
  local server = client.get(0)
  if not server or sources.of() ~= vim.api.nvim_get_current_buf() then
    return nil
  end
  local first, last = vim.fn.getline(given.line1), vim.fn.getline(given.line2)
  local from, to = 0, #last
  local left, right = vim.api.nvim_buf_get_mark(0, '<'), vim.api.nvim_buf_get_mark(0, '>')
  if vim.fn.visualmode() == 'v' and left[1] == given.line1 and right[1] == given.line2 then
    from = math.min(left[2], #first)
    if right[2] < #last then -- a mark stands on the first byte of the last character
      to = right[2] + (vim.o.selection == 'exclusive' and 0 or vim.str_utf_end(last, right[2] + 1) + 1)
    end
  end
  local encoding = server.offset_encoding
  return {
    start = { line = given.line1 - 1, character = vim.str_utfindex(first, encoding, from, false) },
    ['end'] = { line = given.line2 - 1, character = vim.str_utfindex(last, encoding, to, false) },
  }
end

--- An empty range at the cursor; on a line's last character it is behind it.
local function cursor()
  local server, source = client.get(0), sources.of()
  if not server then
    return nil
  end
  -- In a window of the plugin's own it is the cursor of the chapter that is meant.
  local here = source == vim.api.nvim_get_current_buf() and vim.api.nvim_get_current_win()
  local win = here or vim.fn.win_findbuf(source)[1]
  local row, col = unpack(win and vim.api.nvim_win_get_cursor(win) or vim.api.nvim_buf_get_mark(source, '"'))
  row = math.max(row, 1)
  local line = vim.api.nvim_buf_get_lines(source, row - 1, row, true)[1]
  if col < #line and col + vim.str_utf_end(line, col + 1) + 1 == #line then
    col = #line
  end
  local place = { line = row - 1, character = vim.str_utfindex(line, server.offset_encoding, col, false) }
  return { start = place, ['end'] = place }
end

--- An ability's wish: about the selection, else the chapter; a text to insert goes to the cursor. Nil, and it
--- is said, when there must be a selection and is none.
---@param ability string
---@param profile? inkwright.Profile nil when it is not asked for: one of the four
---@param range? lsp.Range
---@return inkwright.Wish?
local function wish_for(ability, profile, range)
  local output = profile and profile.output
  local passage = profile and profile.mode == 'single' and profile.scope == 'selection' and output == 'edit'
  if passage and not range then
    errors.say(tr('select_first', profile.label))
    return nil
  end
  if output == 'insert' and not range then
    range = cursor()
  end
  return { ability = ability, uri = client.here(), range = range }
end

--- Runs an ability; asks for the message if there is none and it is wanted.
---@param ability string
---@param message string
---@param range? lsp.Range
function M.ask(ability, message, range)
  local source = sources.of()
  local function begin(profile)
    local wish = wish_for(ability, profile, range)
    local function go(text)
      if text then
        wish.message = text ~= '' and text or nil
        require('inkwright.runs').start(wish, source)
      end
    end
    local wordless = ability == 'polish' or ability == 'analysis' or (profile and profile.output == 'summary')
    if not wish then
      return
    elseif message ~= '' or wordless then
      go(message)
    else
      vim.ui.input({ prompt = tr('message_for', profiles.label(ability)) }, go)
    end
  end
  if vim.list_contains(vim.tbl_values(profiles.WORDS), ability) then
    begin() -- nothing has to be known of these: they begin at once
  else
    profiles.find(ability, function(profile)
      if profile then
        begin(profile)
      else
        M.unknown(ability)
      end
    end)
  end
end

--- Says that there is no ability of a name: the server would take another for it, and that may cost money.
---@param name string
function M.unknown(name)
  local near = profiles.near(name)
  if #near > 0 then -- else nothing is known of any, and why was told
    errors.fail(tr('unknown_ability', name, table.concat(near, ' ')))
  end
end

--- What can be done with an ability: it as it is, its quick actions, one's own words.
---@param profile inkwright.Profile
---@param range? lsp.Range
local function ways(profile, range)
  local out = {}
  local function add(label, message)
    table.insert(out, {
      label = label,
      run = function()
        local wish = wish_for(profile.id, profile, range)
        if wish then
          wish.message = message
          require('inkwright.runs').start(wish)
        end
      end,
    })
  end
  add(profile.label)
  for _, quick in ipairs(profile.quickActions) do
    add(tr('run_title', profile.label, quick.label), quick.message)
  end
  table.insert(out, {
    label = tr('own_words'),
    run = function()
      vim.ui.input({ prompt = tr('message_for', profile.label) }, function(text)
        local wish = text and wish_for(profile.id, profile, range)
        if wish then
          wish.message = text
          require('inkwright.runs').start(wish)
        end
      end)
    end,
  })
  return out
end

--- A choice of the abilities, and then of what to tell them.
---@param range? lsp.Range
function M.choose(range)
  lists.open(tr('choose_action'), 'ability', function(show)
    profiles.get(function(found)
      local rows = {}
      for _, profile in ipairs(found) do
        if profile.kind == 'ability' then
          local label = ('%s  %s'):format(profile.label, profile.description)
          table.insert(rows, { label = label, acts = ways(profile, range) })
        end
      end
      show(rows)
    end)
  end)
end

return M
