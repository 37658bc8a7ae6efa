-- The names that client and server agree on. A test compares them with the server's.
local M = {}

--- What this plugin was made for; a server of another minor version is told of.
M.VERSION = '0.1.0'

M.COMMANDS = {
  run_ability = 'inkwright.runAbility',
  run_pipeline = 'inkwright.runPipeline',
  cancel_run = 'inkwright.cancelRun',
  list_profiles = 'inkwright.listProfiles',
  create_profile = 'inkwright.createProfile',
  list_proposals = 'inkwright.listProposals',
  accept = 'inkwright.acceptProposal',
  reject = 'inkwright.rejectProposal',
  show_context = 'inkwright.showContext',
  create_book = 'inkwright.createBook',
  get_book = 'inkwright.getBook',
  update_book = 'inkwright.updateBook',
  create_chapter = 'inkwright.createChapter',
  create_card = 'inkwright.createCard',
  list_cards = 'inkwright.listCards',
  list_candidates = 'inkwright.listCandidates',
  accept_candidates = 'inkwright.acceptCandidates',
  reject_candidates = 'inkwright.rejectCandidates',
  show_candidates = 'inkwright.showCandidates',
  get_summary = 'inkwright.getSummary',
  search = 'inkwright.search',
  list_memories = 'inkwright.listMemories',
  add_memory = 'inkwright.addMemory',
  update_memory = 'inkwright.updateMemory',
  delete_memory = 'inkwright.deleteMemory',
  clear_memories = 'inkwright.clearMemories',
  list_runs = 'inkwright.listRuns',
  get_run = 'inkwright.getRun',
  list_models = 'inkwright.listModels',
  test_model = 'inkwright.testModel',
  list_endpoint_models = 'inkwright.listEndpointModels',
  set_secret = 'inkwright.setSecret',
  forget_secret = 'inkwright.forgetSecret',
  usage = 'inkwright.usage',
  describe_image = 'inkwright.describeImage',
  stats = 'inkwright.stats',
  threads = 'inkwright.threads',
  report = 'inkwright.report',
  move_chapter = 'inkwright.moveChapter',
  intend = 'inkwright.intend',
  list_intended = 'inkwright.listIntended',
  unintend = 'inkwright.unintend',
}

--- The events of a run's stream; the last three end it.
M.EVENTS = { 'chunk', 'reasoning', 'tool', 'step', 'usage', 'done', 'error', 'cancelled' }

M.TERMINAL = { done = true, error = true, cancelled = true }

return M
