-- What came of a run, in one line; and its cards.
local M = {}

local client = require('inkwright.client')
local endings = require('inkwright.endings')
local profiles = require('inkwright.profiles')
local protocol = require('inkwright.protocol')
local tr = require('inkwright.i18n').tr

--- The steps by name, in order: how many parts each has and how many of them are done.
---@param steps inkwright.Step[]
local function by_name(steps)
  local out, at = {}, {}
  for _, step in ipairs(steps) do
    local one = at[step.name]
    if not one then
      one = { name = step.name, count = 0, done = 0 }
      at[step.name] = one
      table.insert(out, one)
    end
    one.count = one.count + 1
    one.done = one.done + (step.status == 'completed' and 1 or 0)
    one.stopped = one.stopped or (step.status ~= 'completed' and step.status ~= 'pending')
  end
  return out
end

local function unfinished(result)
  return result.pipeline and result.status ~= 'completed'
end

--- The closing line: `text`, what waits for the writer now, and why it ended early.
---@param result inkwright.Result
---@param text string
---@param reason? string
---@param rest? inkwright.Rest
---@return string
local function with_rest(result, text, reason, rest)
  local parts = text ~= '' and { text } or {}
  if unfinished(result) then
    table.insert(parts, tr('resume_how'))
  end
  if result.stopReason == 'needs_model' then
    table.insert(parts, tr('models_how'))
  end
  table.insert(parts, reason) -- before what else there is to say: the line may be cut
  local hunks = result.proposal and #result.proposal.hunks or 0
  local cards, candidates = #(result.cards or {}), #(result.candidates or {})
  local output = profiles.output(result.ability)
  if rest and rest.moved then
    table.insert(parts, tr('run_moved', hunks, rest.moved))
  elseif rest and rest.cure then
    table.insert(parts, tr('run_lone', rest.cure, hunks))
  elseif rest and rest.count == 0 then
    table.insert(parts, tr('run_stale'))
  elseif hunks > 0 then
    table.insert(parts, tr('run_waits', rest and rest.count or hunks))
  end
  if cards > 0 then
    table.insert(parts, tr('cards_made', cards))
  end
  if candidates > 0 then
    table.insert(parts, tr('candidates_wait', candidates))
  end
  if result.status == 'completed' and output == 'summary' then
    table.insert(parts, tr('summary_kept'))
  end
  if #parts == 0 then
    local edits = output == 'edit' or output == 'insert'
    table.insert(parts, edits and tr('run_nothing') or tr('run_done'))
  end
  return table.concat(parts, ' · ')
end

---@class inkwright.Rest
---@field count? integer how many hunks stand in the text as it is now
---@field cure? string what makes line ends of the carriage returns that came into its lines; nothing can be shown before
---@field moved? string the file that they are for, where the text is closed or has another name by now

--- What is left of a run's hunks in a text that was changed or named anew meanwhile; nil where it was not.
---@param run inkwright.Run
---@param result inkwright.Result
---@param done fun(rest?: inkwright.Rest)
function M.left(run, result, done)
  local source = run.source
  if not result.proposal then
    done()
  elseif not vim.api.nvim_buf_is_loaded(source) or client.uri(source) ~= run.uri then
    done({ moved = vim.fn.fnamemodify(vim.uri_to_fname(run.uri), ':~:.') })
  elseif vim.api.nvim_buf_get_changedtick(source) == run.tick then
    done()
  elseif endings.lone(source) then
    done({ cure = endings.cure(source) })
  else
    local waiting = require('inkwright.waiting')
    waiting.fetch(source, function(proposals)
      local count = 0
      for _, proposal in ipairs(proposals) do
        count = count + (proposal.id == result.proposal.id and #waiting.standing(proposal) or 0)
      end
      done({ count = count })
    end, function()
      done()
    end)
  end
end

--- The closing line of a run, and how grave it is.
---@param result inkwright.Result
---@param rest? inkwright.Rest
---@return string
---@return integer level
---@return string? brief for the bar of the run's window, where the line says it all
function M.closing(result, rest)
  if result.error and result.error.code == 'no_pipeline' then
    local how = tr('pipeline_by_name', table.concat(profiles.ids('pipeline'), ' | '))
    return how .. ' · ' .. result.error.message, vim.log.levels.WARN, how -- the line may be cut
  end
  if result.status == 'cancelled' then
    return with_rest(result, tr('run_cancelled'), nil, rest), vim.log.levels.INFO
  end
  local reason = result.error and result.error.message or result.stopReason
  if result.status == 'failed' then
    return with_rest(result, tr('run_failed'), reason, rest), vim.log.levels.ERROR
  end
  if result.status == 'partial' then
    return with_rest(result, tr('run_partial'), reason, rest), vim.log.levels.WARN
  end
  return with_rest(result, '', nil, rest), vim.log.levels.INFO
end

--- Tokens and money; '' for none.
---@param usage? inkwright.Usage
---@return string
function M.usage(usage)
  if not usage or usage.input + usage.output == 0 then
    return ''
  end
  local text = tr('run_usage', usage.input, usage.output)
  if usage.cost then
    text = ('%s %s%.4f'):format(text, usage.currency and usage.currency .. ' ' or '', usage.cost)
  end
  return usage.estimated and '≈ ' .. text or text
end

--- How far each step of a pipeline came; '' of any other run.
---@param result inkwright.Result
---@param names table<string, string>
---@return string
function M.steps(result, names)
  local parts = {}
  for _, step in ipairs(by_name(result.steps or {})) do
    local mark = step.done == step.count and '✓' or step.stopped and '✗' or '…'
    local count = step.count > 1 and (' %d/%d'):format(step.done, step.count) or ''
    table.insert(parts, ('%s %s%s  '):format(mark, names[step.name] or step.name, count))
  end
  return table.concat(parts)
end

--- Puts the cards of a run into the quickfix list.
---@param run inkwright.Run
---@param result inkwright.Result
function M.list_cards(run, result)
  if not result.cards or #result.cards == 0 or not vim.api.nvim_buf_is_valid(run.source) then
    return
  end
  client.execute(protocol.COMMANDS.get_book, { uri = client.uri(run.source) }, function(index)
    local files = vim.tbl_map(function(path)
      return vim.fs.joinpath(index.book.root, path)
    end, result.cards)
    require('inkwright.candidates').to_quickfix(run.label, files)
  end, { client = vim.lsp.get_client_by_id(run.server) })
end

return M
