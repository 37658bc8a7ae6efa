-- Neovim 0.11's own configuration: `vim.lsp.enable('inkwright')` is all that is needed. Nothing behind it is
-- loaded before a Markdown file or a text is opened.

---@param module string
---@param name string
local function late(module, name)
  return function(...)
    return require(module)[name](...)
  end
end

---@type vim.lsp.Config
return {
  -- A function, since Neovim leaves out a server whose command is a table that it cannot execute, without a word.
  cmd = late('inkwright.client', 'spawn'),
  filetypes = { 'markdown', 'text' },
  root_dir = late('inkwright.root', 'dir'),
  init_options = { bookChanged = true },
  settings = { inkwright = vim.empty_dict() },
  -- Neovim makes versioned edits but does not say so; what it cannot do by itself is among the handlers.
  capabilities = {
    workspace = { workspaceEdit = { documentChanges = true }, diagnostics = { refreshSupport = true } },
  },
  handlers = {
    ['$/progress'] = late('inkwright.client', 'progress'),
    ['window/showMessage'] = late('inkwright.client', 'show_message'),
    ['workspace/diagnostic/refresh'] = late('inkwright.client', 'refresh_diagnostics'),
    ['workspace/executeCommand'] = late('inkwright.client', 'executed'),
    ['workspace/applyEdit'] = late('inkwright.edits', 'apply'),
    ['textDocument/rename'] = late('inkwright.edits', 'rename'),
    ['$/inkwright/profilesChanged'] = late('inkwright.profiles', 'changed'),
    ['$/inkwright/modelsChanged'] = late('inkwright.attach', 'models_changed'),
    ['$/inkwright/bookChanged'] = late('inkwright.attach', 'book_changed'),
  },
  commands = {
    ['inkwright.runAbility'] = late('inkwright.client', 'start_run'),
    ['inkwright.runPipeline'] = late('inkwright.client', 'start_run'),
    ['inkwright.describeImage'] = late('inkwright.client', 'start_run'),
    ['inkwright.acceptProposal'] = late('inkwright.client', 'decide'),
    ['inkwright.rejectProposal'] = late('inkwright.client', 'decide'),
  },
  before_init = late('inkwright.client', 'before_init'),
  on_exit = late('inkwright.client', 'on_exit'),
}
