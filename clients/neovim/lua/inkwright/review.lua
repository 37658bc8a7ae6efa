-- Reviewing proposals: what waits, what the writer decides, and what came of it.
local M = {}

local client = require('inkwright.client')
local endings = require('inkwright.endings')
local errors = require('inkwright.errors')
local lists = require('inkwright.lists')
local places = require('inkwright.places')
local protocol = require('inkwright.protocol')
local tr = require('inkwright.i18n').tr
local sources = require('inkwright.sources')
local views = require('inkwright.view')
local waiting = require('inkwright.waiting')
local width = require('inkwright.width')

--- Opens the diff of a proposal, the newest of the chapter without an id.
---@param source? integer
---@param id? string
function M.open(source, id)
  source = (source == nil or source == 0) and sources.of() or source
  local view = views.of(source)
  source = view and view.source or source
  if endings.refused(source) then
    return
  end
  waiting.fetch(source, function(proposals, server)
    local chosen
    for _, proposal in ipairs(proposals) do
      if not id or proposal.id == id then
        chosen = proposal
      end
    end
    if not chosen or #waiting.standing(chosen) == 0 then
      errors.say(tr('review_none'))
      return
    end
    views.show(source, chosen, server.offset_encoding, M)
  end)
end

--- Shows a review as its proposal is now; closes it where nothing of it waits, and says so.
---@param view inkwright.View
---@param proposals inkwright.Proposal[]
---@param encoding string
local function renew(view, proposals, encoding)
  if not views.is_open(view) then -- closed while the server was asked
    return
  end
  local left
  for _, proposal in ipairs(proposals) do
    if proposal.id == view.id and #waiting.standing(proposal) > 0 then
      left = proposal
    end
  end
  if left then
    views.render(view, left, encoding)
    views.advance(view)
  else
    views.close(view)
    errors.say(tr('review_done'))
  end
end

--- Tells a failure, and goes on.
local function failing(done)
  return function(err)
    if err then
      errors.response(err)
    end
    done()
  end
end

---@param source integer
---@param done fun() when the reviews show what waits now
local function refresh(source, done)
  require('inkwright.hunks').refresh(source)
  local mine = views.all(source)
  if #mine == 0 then
    done()
    return
  end
  waiting.fetch(source, function(proposals, server)
    for _, view in ipairs(mine) do
      renew(view, proposals, server.offset_encoding)
    end
    done()
  end, failing(done))
end

--- Whether a review shows what waits of its proposal: what was decided elsewhere does not any more.
---@param view inkwright.View
---@param proposals inkwright.Proposal[]
---@return boolean
local function is_current(view, proposals)
  local function indices(hunks)
    return vim.tbl_map(function(hunk)
      return hunk.index
    end, hunks)
  end
  for _, proposal in ipairs(proposals) do
    if proposal.id == view.id then
      return vim.deep_equal(indices(view.hunks), indices(waiting.standing(proposal)))
    end
  end
  return false
end

-- -- deciding --------------------------------------------------------------------------------

--- What came of a decision; what there was none of is not counted.
---@param verdict inkwright.Verdict
---@return string
local function counted(verdict)
  local parts = {}
  for _, one in ipairs({
    { verdict.applied, 'verdict_applied' },
    { verdict.rejected, 'verdict_rejected' },
    { verdict.stale, 'verdict_stale' },
  }) do
    if #one[1] > 0 then
      table.insert(parts, tr(one[2], #one[1]))
    end
  end
  return table.concat(parts, ' · ')
end

local function numbers(indices)
  return table.concat(
    vim
      .iter(indices)
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
---@param done? fun() when the reviews show what came of it
function M.decide(command, argument, source, left_out, done)
  done = done or function() end
  local view = views.of(source)
  source = view and view.source or source
  if command == protocol.COMMANDS.accept and endings.refused(source) then
    done()
    return
  end
  client.execute(command, argument, function(verdict)
    ---@cast verdict inkwright.Verdict
    local refused = #verdict.applied + #verdict.stale + #verdict.rejected == 0
    local why = require('inkwright.edits').why()
    local told = counted(verdict)
    if refused and (why or (left_out or 0) == 0) then
      told = why and tr('review_refused_why', why) or tr('review_refused')
    end
    local grave = vim.log.levels[refused and 'WARN' or 'INFO']
    if #verdict.stale > 0 then
      grave = vim.log.levels.WARN
      told = told .. ' · ' .. tr('review_stale', numbers(verdict.stale))
    end
    if (left_out or 0) > 0 then
      grave = vim.log.levels.WARN
      told = (told ~= '' and told .. ' · ' or '') .. tr('accept_confirm', left_out)
    end
    errors.say(told, grave)
    if #verdict.applied > 0 then
      require('inkwright.hunks').accepted[source] = true
    end
    refresh(source, done)
    vim.api.nvim_exec_autocmds('User', { pattern = 'InkwrightDecided', data = verdict })
  end, { bufnr = source, failed = done })
end

---@class inkwright.Choice
---@field all? boolean
---@field first? integer one-based lines of the chapter
---@field last? integer

local function decide_now(command, choice, done)
  local buffer = vim.api.nvim_get_current_buf()
  local view = views.of(buffer)
  local source = view and view.source or buffer
  if not (choice.all and command == protocol.COMMANDS.reject) and endings.refused(source) then
    done()
    return
  end
  local cursor = vim.api.nvim_win_get_cursor(0)
  if not client.get(source) then -- why is said
    done()
    return
  end
  waiting.fetch(source, function(proposals, server)
    if view and views.is_open(view) and not is_current(view, proposals) then
      errors.warn(tr('review_elsewhere'))
      renew(view, proposals, server.offset_encoding)
      require('inkwright.hunks').refresh(source)
      done()
      return
    end
    local lines = vim.api.nvim_buf_get_lines(source, 0, -1, true)
    for i = #proposals, 1, -1 do
      local proposal = proposals[i]
      if not view or view.id == proposal.id then
        local hunks, here = waiting.standing(proposal), {}
        for _, hunk in ipairs(hunks) do
          here[hunk.index] = places.place(lines, hunk.range, server.offset_encoding)
        end
        if choice.all then
          local flagged = vim.iter(hunks):filter(function(hunk)
            return #hunk.findings > 0
          end)
          local argument = { proposalId = proposal.id }
          local left_out = #flagged:totable()
          if command == protocol.COMMANDS.reject then
            left_out = 0
            argument.hunks = vim
              .iter(proposal.hunks)
              :map(function(hunk)
                return hunk.index
              end)
              :totable()
          end
          M.decide(command, argument, source, left_out, done)
          return
        end
        local chosen = {}
        local where = view and buffer == view.buffer and view.there or here
        if choice.first then
          for _, hunk in ipairs(hunks) do
            local p = where[hunk.index]
            if p.line < choice.last and p.end_line >= choice.first - 1 then
              table.insert(chosen, hunk.index)
            end
          end
        else
          local hunk = places.at(hunks, where, cursor[1] - 1, cursor[2])
          chosen = hunk and { hunk.index } or {}
        end
        if #chosen > 0 then
          M.decide(command, { proposalId = proposal.id, hunks = chosen }, source, nil, done)
          return
        end
      end
    end
    errors.say(tr(#proposals == 0 and 'review_none' or 'review_no_hunk'))
    done()
  end, failing(done))
end

---@type table<inkwright.View, fun(done: fun())[]> what was pressed in a review while a decision of it was under way, in order
local behind = {}

--- Decides in a review; what is pressed meanwhile is about what it shows then.
local function in_turn(view, act)
  if behind[view] then
    table.insert(behind[view], act)
    return
  end
  behind[view] = {}
  act(function()
    local next_ones = behind[view] or {}
    behind[view] = nil
    for _, one in ipairs(next_ones) do
      if views.of(vim.api.nvim_get_current_buf()) == view then
        in_turn(view, one)
      end
    end
  end)
end

local function decide(command, choice)
  local view = views.of(vim.api.nvim_get_current_buf())
  if view then
    in_turn(view, function(done)
      decide_now(command, choice, done)
    end)
    return
  end
  require('inkwright.pages').enter()
  local window = vim.api.nvim_get_current_win()
  require('inkwright.jumping').behind(vim.api.nvim_get_current_buf(), function()
    if vim.api.nvim_get_current_win() == window then
      decide_now(command, choice, function() end)
    end
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

--- Takes the chapter's last change back, or makes it again, from its review: an acceptance taken back waits again.
---@param view inkwright.View
---@param how 'undo'|'redo'
function M.take_back(view, how)
  in_turn(view, function(done)
    local ok, err = pcall(vim.api.nvim_buf_call, view.source, function()
      vim.cmd(how)
    end)
    if not ok then
      errors.warn(tostring(err))
    end
    refresh(view.source, done)
  end)
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
      kind = 'inkwright.proposal',
      format_item = function(proposal)
        local name = vim.fn.fnamemodify(vim.uri_to_fname(proposal.uri), ':~:.')
        local first = proposal.hunks[1]
        local text = ('%s (%d)  %s'):format(name, #proposal.hunks, first and width.flat(first.after) or '')
        return lists.cut(text)
      end,
    }, function(proposal)
      if proposal then
        require('inkwright.pages').go(vim.uri_to_fname(proposal.uri))
        local bufnr = vim.api.nvim_get_current_buf()
        require('inkwright.server').when_ready(function()
          M.open(bufnr, proposal.id)
        end, 'review')
      end
    end)
  end)
end

return M
