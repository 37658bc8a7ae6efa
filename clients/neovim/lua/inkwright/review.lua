-- Reviewing a proposal: the chapter beside the chapter with every waiting hunk in it.
local M = {}

local client = require('inkwright.client')
local errors = require('inkwright.errors')
local protocol = require('inkwright.protocol')
local tr = require('inkwright.i18n').tr

local SPACE = vim.api.nvim_create_namespace('inkwright.review')
local ATTEMPTS = 5

---@class inkwright.Place zero-based lines, byte columns, end excluded
---@field line integer
---@field col integer
---@field end_line integer
---@field end_col integer

---@class inkwright.View
---@field id string the proposal
---@field source integer
---@field buffer integer the proposed text
---@field tab integer
---@field hunks inkwright.Hunk[]
---@field here table<integer, inkwright.Place> in the chapter, by index
---@field there table<integer, inkwright.Place> in the proposed text

---@type table<integer, inkwright.View>
local views = {}

-- -- places ----------------------------------------------------------------------------------

local function byte(lines, position, encoding)
  local line = lines[position.line + 1] or ''
  return vim.str_byteindex(line, encoding, position.character, false)
end

---@return inkwright.Place
local function place(lines, range, encoding)
  return {
    line = range.start.line,
    col = byte(lines, range.start, encoding),
    end_line = range['end'].line,
    end_col = byte(lines, range['end'], encoding),
  }
end

--- Where hunks stand once all of them are in the text; they come in order and never overlap.
local function shifted(hunks, here)
  local out, lines, line, cols = {}, 0, -1, 0
  for _, hunk in ipairs(hunks) do
    local old = here[hunk.index]
    local new = { line = old.line + lines, col = old.col }
    if old.line == line then
      new.col = old.col + cols
    end
    local after = vim.split((hunk.after:gsub('\r\n?', '\n')), '\n', { plain = true })
    new.end_line = new.line + #after - 1
    new.end_col = #after == 1 and new.col + #after[1] or #after[#after]
    lines = new.end_line - old.end_line
    line, cols = old.end_line, new.end_col - old.end_col
    out[hunk.index] = new
  end
  return out
end

--- The hunk at a cursor: the one that it stands in, else the nearest on its line.
local function at(hunks, places, line, col)
  local best, distance
  for _, hunk in ipairs(hunks) do
    local p = places[hunk.index]
    if p and p.line <= line and line <= p.end_line then
      local before = (line > p.line) and 0 or math.max(0, p.col - col)
      local behind = (line < p.end_line) and 0 or math.max(0, col - math.max(p.end_col - 1, p.col))
      local away = before + behind
      if not distance or away < distance then
        best, distance = hunk, away
      end
    end
  end
  return best
end

-- -- what waits ------------------------------------------------------------------------------

--- Gives the proposals of a chapter to `done`, with ranges that are right for its text as it is then.
---@param source integer
---@param done fun(proposals: inkwright.Proposal[], client: vim.lsp.Client)
local function fetch(source, done, attempt)
  local server = client.get(source)
  if not server then
    return
  end
  local tick = vim.api.nvim_buf_get_changedtick(source)
  client.execute(protocol.COMMANDS.list_proposals, { uri = client.uri(source) }, function(proposals)
    if not vim.api.nvim_buf_is_valid(source) then
      return
    end
    if vim.api.nvim_buf_get_changedtick(source) ~= tick and (attempt or 1) < ATTEMPTS then
      fetch(source, done, (attempt or 1) + 1)
      return
    end
    done(proposals, server)
  end, { bufnr = source })
end

local function standing(proposal)
  return vim.iter(proposal.hunks)
    :filter(function(hunk)
      return not hunk.stale
    end)
    :totable()
end

-- -- the view --------------------------------------------------------------------------------

---@return inkwright.View?
local function view_of(bufnr)
  for _, view in pairs(views) do
    if view.buffer == bufnr or (view.source == bufnr and vim.api.nvim_get_current_tabpage() == view.tab) then
      return view
    end
  end
end

local function close(view)
  views[view.buffer] = nil
  if vim.api.nvim_tabpage_is_valid(view.tab) and #vim.api.nvim_list_tabpages() > 1 then
    for _, win in ipairs(vim.api.nvim_tabpage_list_wins(view.tab)) do
      vim.api.nvim_win_call(win, function()
        vim.cmd.diffoff()
      end)
    end
    vim.cmd.tabclose(vim.api.nvim_tabpage_get_number(view.tab))
  end
  if vim.api.nvim_buf_is_valid(view.buffer) then
    vim.api.nvim_buf_delete(view.buffer, { force = true })
  end
end

local function mark(view)
  vim.api.nvim_buf_clear_namespace(view.buffer, SPACE, 0, -1)
  for _, hunk in ipairs(view.hunks) do
    local p = view.there[hunk.index]
    vim.api.nvim_buf_set_extmark(view.buffer, SPACE, p.line, p.col, {
      end_row = p.end_line,
      end_col = p.end_col,
      hl_group = 'InkwrightHunk',
    })
    local said = vim.iter(hunk.findings)
      :map(function(finding)
        return { { tr('hunk_with_findings', finding.message), 'DiagnosticVirtualTextWarn' } }
      end)
      :totable()
    if hunk.after == '' then
      table.insert(said, 1, { { tr('removed') .. hunk.before:gsub('%s+', ' '), 'DiffDelete' } })
    end
    if #said > 0 then
      vim.api.nvim_buf_set_extmark(view.buffer, SPACE, p.end_line, 0, { virt_lines = said })
    end
  end
end

---@param view inkwright.View
---@param proposal inkwright.Proposal
---@param encoding string
local function render(view, proposal, encoding)
  local lines = vim.api.nvim_buf_get_lines(view.source, 0, -1, true)
  view.hunks, view.here = standing(proposal), {}
  table.sort(view.hunks, function(a, b)
    return a.index < b.index
  end)
  local edits = {}
  for _, hunk in ipairs(view.hunks) do
    view.here[hunk.index] = place(lines, hunk.range, encoding)
    table.insert(edits, { range = hunk.range, newText = hunk.after })
  end
  view.there = shifted(view.hunks, view.here)
  vim.bo[view.buffer].modifiable = true
  vim.api.nvim_buf_set_lines(view.buffer, 0, -1, true, lines)
  vim.lsp.util.apply_text_edits(edits, view.buffer, encoding)
  vim.bo[view.buffer].modifiable = false
  vim.bo[view.buffer].modified = false
  mark(view)
  local name = vim.fs.basename(vim.api.nvim_buf_get_name(view.source))
  local bars = { [view.source] = name, [view.buffer] = tr('review_title', #view.hunks) }
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(view.tab)) do
    local bar = bars[vim.api.nvim_win_get_buf(win)]
    if bar then
      vim.wo[win].winbar = bar:gsub('%%', '%%%%') .. '%<' -- cut at the end when there is no room
    end
  end
  vim.cmd.diffupdate()
end

local function current_hunk(view)
  local win = vim.api.nvim_get_current_win()
  local cursor = vim.api.nvim_win_get_cursor(win)
  local places = vim.api.nvim_win_get_buf(win) == view.buffer and view.there or view.here
  return at(view.hunks, places, cursor[1] - 1, cursor[2])
end

local function jump(view, step)
  local cursor = vim.api.nvim_win_get_cursor(0)
  local line, col = cursor[1] - 1, cursor[2]
  local target
  for _, hunk in ipairs(view.hunks) do
    local p = view.there[hunk.index]
    local order = p.line ~= line and p.line - line or p.col - col
    if step > 0 and order > 0 then
      target = target or p
    elseif step < 0 and order < 0 then
      target = p
    end
  end
  if target then
    local last = vim.api.nvim_buf_line_count(view.buffer)
    vim.api.nvim_win_set_cursor(0, { math.min(target.line + 1, last), target.col })
  end
end

--- From a decided hunk on to the next one, or the last.
local function advance(view)
  for _, win in ipairs(vim.fn.win_findbuf(view.buffer)) do
    vim.api.nvim_win_call(win, function()
      local cursor = vim.api.nvim_win_get_cursor(win)
      if not at(view.hunks, view.there, cursor[1] - 1, cursor[2]) then
        jump(view, 1)
        cursor = vim.api.nvim_win_get_cursor(win)
        if not at(view.hunks, view.there, cursor[1] - 1, cursor[2]) then
          jump(view, -1)
        end
      end
    end)
  end
end

local function keys(view)
  local function map(lhs, desc, f)
    vim.keymap.set('n', lhs, f, { buffer = view.buffer, nowait = true, desc = 'Inkwright: ' .. desc })
  end
  map('a', 'accept this hunk', function()
    M.accept({})
  end)
  map('r', 'reject this hunk', function()
    M.reject({})
  end)
  map('A', 'accept all without warnings', function()
    M.accept({ all = true })
  end)
  map('R', 'reject all', function()
    M.reject({ all = true })
  end)
  map(']c', 'next hunk', function()
    jump(view, 1)
  end)
  map('[c', 'previous hunk', function()
    jump(view, -1)
  end)
  map('q', 'close', function()
    close(view)
  end)
end

local function show(source, proposal, encoding)
  for _, view in pairs(views) do
    if view.id == proposal.id and vim.api.nvim_tabpage_is_valid(view.tab) then
      vim.api.nvim_set_current_tabpage(view.tab)
      render(view, proposal, encoding)
      return view
    end
  end
  vim.cmd('tab sbuffer ' .. source)
  local left = vim.api.nvim_get_current_win()
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(
    buffer,
    ('inkwright://proposal/%d/%s'):format(buffer, vim.fs.basename(vim.api.nvim_buf_get_name(source)))
  )
  vim.bo[buffer].filetype = 'markdown'
  vim.bo[buffer].bufhidden = 'wipe'
  local right = vim.api.nvim_open_win(buffer, true, { split = 'right', win = left })
  local view = { id = proposal.id, source = source, buffer = buffer, tab = vim.api.nvim_get_current_tabpage() }
  views[buffer] = view
  render(view, proposal, encoding)
  for _, win in ipairs({ left, right }) do
    vim.api.nvim_win_call(win, function()
      vim.cmd.diffthis()
    end)
    vim.wo[win].wrap = true
    vim.wo[win].foldenable = true
  end
  keys(view)
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = buffer,
    once = true,
    callback = function()
      views[buffer] = nil
    end,
  })
  local first = view.hunks[1] and view.there[view.hunks[1].index]
  if first then
    vim.api.nvim_win_set_cursor(right, { math.min(first.line + 1, vim.api.nvim_buf_line_count(buffer)), first.col })
  end
  return view
end

--- Opens the diff of a proposal, the newest of the chapter without an id.
---@param source? integer
---@param id? string
function M.open(source, id)
  source = (source == nil or source == 0) and vim.api.nvim_get_current_buf() or source
  local view = view_of(source)
  source = view and view.source or source
  fetch(source, function(proposals, server)
    local chosen
    for _, proposal in ipairs(proposals) do
      if not id or proposal.id == id then
        chosen = proposal
      end
    end
    if not chosen or #standing(chosen) == 0 then
      errors.say(tr('review_none'))
      return
    end
    show(source, chosen, server.offset_encoding)
  end)
end

local function refresh(source)
  local mine = vim.iter(pairs(views))
    :map(function(_, view)
      return view
    end)
    :filter(function(view)
      return view.source == source
    end)
    :totable()
  if #mine == 0 then
    return
  end
  fetch(source, function(proposals, server)
    for _, view in ipairs(mine) do
      local left
      for _, proposal in ipairs(proposals) do
        if proposal.id == view.id and #standing(proposal) > 0 then
          left = proposal
        end
      end
      if left then
        render(view, left, server.offset_encoding)
        advance(view)
      elseif views[view.buffer] then
        close(view)
        errors.say(tr('review_done'))
      end
    end
  end)
end

-- -- deciding --------------------------------------------------------------------------------

local function numbers(indices)
  return table.concat(
    vim.iter(indices)
      :map(function(index)
        return tostring(index + 1)
      end)
      :totable(),
    ', '
  )
end

--- Accepts or rejects, and says what came of it.
---@param command string
---@param argument { proposalId: string, hunks?: integer[] }
---@param source integer
---@param left_out? integer hunks with findings that were not asked for
function M.decide(command, argument, source, left_out)
  local view = view_of(source)
  source = view and view.source or source
  client.execute(command, argument, function(verdict)
    ---@cast verdict inkwright.Verdict
    if #verdict.applied + #verdict.stale + #verdict.rejected == 0 then
      errors.warn(tr('review_refused'))
    else
      errors.say(tr('verdict', #verdict.applied, #verdict.rejected, #verdict.stale))
    end
    if #verdict.stale > 0 then
      errors.warn(tr('review_stale', numbers(verdict.stale)))
    end
    if (left_out or 0) > 0 then
      errors.warn(tr('accept_confirm', left_out))
    end
    refresh(source)
    vim.api.nvim_exec_autocmds('User', { pattern = 'InkwrightDecided', data = verdict })
  end, { bufnr = source })
end

---@class inkwright.Choice
---@field all? boolean
---@field first? integer one-based lines of the chapter
---@field last? integer

local function decide(command, choice)
  local buffer = vim.api.nvim_get_current_buf()
  local view = view_of(buffer)
  local source = view and view.source or buffer
  local cursor = vim.api.nvim_win_get_cursor(0)
  fetch(source, function(proposals, server)
    local lines = vim.api.nvim_buf_get_lines(source, 0, -1, true)
    local taken = 0
    for i = #proposals, 1, -1 do
      local proposal = proposals[i]
      if not view or view.id == proposal.id then
        local hunks, places = standing(proposal), {}
        for _, hunk in ipairs(hunks) do
          places[hunk.index] = place(lines, hunk.range, server.offset_encoding)
        end
        if choice.all then
          local flagged = vim.iter(hunks):filter(function(hunk)
            return #hunk.findings > 0
          end)
          local argument = { proposalId = proposal.id }
          local left_out = #flagged:totable()
          if command == protocol.COMMANDS.reject then
            left_out = 0
            argument.hunks = vim.iter(proposal.hunks)
              :map(function(hunk)
                return hunk.index
              end)
              :totable()
          end
          M.decide(command, argument, source, left_out)
          return
        end
        local chosen = {}
        if choice.first then
          for _, hunk in ipairs(hunks) do
            local p = places[hunk.index]
            if p.line < choice.last and p.end_line >= choice.first - 1 then
              table.insert(chosen, hunk.index)
            end
          end
        else
          local where = view and buffer == view.buffer and view.there or places
          local hunk = at(hunks, where, cursor[1] - 1, cursor[2])
          chosen = hunk and { hunk.index } or {}
        end
        if #chosen > 0 then
          taken = taken + #chosen
          M.decide(command, { proposalId = proposal.id, hunks = chosen }, source)
          return
        end
      end
    end
    errors.say(tr(#proposals == 0 and 'review_none' or 'review_no_hunk'))
  end)
end

---@param choice inkwright.Choice
function M.accept(choice)
  decide(protocol.COMMANDS.accept, choice)
end

---@param choice inkwright.Choice
function M.reject(choice)
  decide(protocol.COMMANDS.reject, choice)
end

--- Lists what waits, here or in the whole book, and opens what is chosen.
function M.choose()
  client.execute(protocol.COMMANDS.list_proposals, nil, function(proposals)
    if #proposals == 0 then
      errors.say(tr('review_none'))
      return
    end
    vim.ui.select(proposals, {
      prompt = tr('choose_proposal'),
      format_item = function(proposal)
        local name = vim.fn.fnamemodify(vim.uri_to_fname(proposal.uri), ':~:.')
        local first = proposal.hunks[1]
        return ('%s (%d)  %s'):format(name, #proposal.hunks, first and first.after:gsub('%s+', ' '):sub(1, 60) or '')
      end,
    }, function(proposal)
      if proposal then
        local bufnr = vim.fn.bufadd(vim.uri_to_fname(proposal.uri))
        vim.fn.bufload(bufnr)
        vim.bo[bufnr].buflisted = true
        vim.api.nvim_set_current_buf(bufnr)
        M.open(bufnr, proposal.id)
      end
    end)
  end)
end

vim.api.nvim_set_hl(0, 'InkwrightHunk', { link = 'DiffText', default = true })

return M
