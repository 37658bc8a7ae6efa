/** What the server and its clients agree on. Names only; nothing here talks to anybody. */

export const SECTION = 'inkwright';

/** The server's commands (workspace/executeCommand), in its own order. */
export const COMMANDS = [
  'inkwright.runAbility',
  'inkwright.runPipeline',
  'inkwright.cancelRun',
  'inkwright.listProfiles',
  'inkwright.createProfile',
  'inkwright.listProposals',
  'inkwright.acceptProposal',
  'inkwright.rejectProposal',
  'inkwright.showContext',
  'inkwright.createBook',
  'inkwright.getBook',
  'inkwright.updateBook',
  'inkwright.createChapter',
  'inkwright.createCard',
  'inkwright.listCards',
  'inkwright.listCandidates',
  'inkwright.acceptCandidates',
  'inkwright.rejectCandidates',
  'inkwright.showCandidates',
  'inkwright.getSummary',
  'inkwright.search',
  'inkwright.listMemories',
  'inkwright.addMemory',
  'inkwright.updateMemory',
  'inkwright.deleteMemory',
  'inkwright.clearMemories',
  'inkwright.listRuns',
  'inkwright.getRun',
  'inkwright.listModels',
  'inkwright.testModel',
  'inkwright.listEndpointModels',
  'inkwright.setSecret',
  'inkwright.forgetSecret',
  'inkwright.usage',
  'inkwright.describeImage',
  'inkwright.stats',
  'inkwright.threads',
  'inkwright.report',
  'inkwright.moveChapter',
  'inkwright.intend',
  'inkwright.listIntended',
  'inkwright.unintend',
] as const;

/** A notification: the models, or which of them is used, are others than before. */
export const MODELS_CHANGED = '$/inkwright/modelsChanged';

/** A notification that is asked for with `bookChanged: true`: what another process has changed of a book. */
export const BOOK_CHANGED = '$/inkwright/bookChanged';

export interface Elsewhere {
  /** The root of the book. */
  uri: string;
  changed: ('runs' | 'proposals' | 'candidates' | 'memories' | 'decisions' | 'files')[];
}

export type Command = (typeof COMMANDS)[number];

/** Those that change what is kept of a book. */
export const CHANGES: ReadonlySet<Command> = new Set<Command>([
  'inkwright.acceptProposal',
  'inkwright.createBook',
  'inkwright.updateBook',
  'inkwright.createChapter',
  'inkwright.createCard',
  'inkwright.acceptCandidates',
  'inkwright.addMemory',
  'inkwright.updateMemory',
  'inkwright.deleteMemory',
  'inkwright.clearMemories',
  'inkwright.moveChapter',
]);

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

/** The argument of `inkwright.runAbility`. */
export interface Ask {
  ability: string;
  uri: string;
  range?: Range;
  message?: string;
  model?: string;
  follow?: string;
}

/** The argument of `inkwright.runPipeline`. `resume` is the run to go on from. */
export interface PipelineAsk {
  uri: string;
  pipeline?: string;
  message?: string;
  model?: string;
  resume?: string;
}

export interface Finding {
  code: string;
  message: string;
}

export interface Hunk {
  index: number;
  range: Range;
  before: string;
  after: string;
  findings: Finding[];
  stale?: boolean;
}

export interface Proposal {
  id: string;
  uri: string;
  version: number | null;
  text: string;
  hunks: Hunk[];
}

export interface Usage {
  input: number;
  output: number;
  cost?: number;
  currency?: string;
  estimated?: boolean;
}

export type Status = 'completed' | 'partial' | 'failed' | 'cancelled';

export interface RunResult {
  requestId: string;
  ability: string;
  status: Status;
  stopReason: string;
  model: string;
  text: string;
  proposal: Proposal | null;
  usage: Usage;
  error: { code: string; message: string } | null;
  /** Of a pipeline's run only. */
  pipeline?: string;
  steps?: Step[];
  /** Paths within the book. */
  cards?: string[];
  /** Ids. */
  candidates?: string[];
}

/** A step of a pipeline on one batch of the chapter. */
export interface Step {
  name: string;
  status: 'completed' | 'partial' | 'failed' | 'cancelled' | 'pending';
  text: string;
  batch: number;
}

export interface ToolValue {
  id: string;
  name: string;
  phase: 'start' | 'end';
  /** What it is called in the writer's language, with its start. */
  label?: string;
  ok?: boolean;
}

export interface StepValue {
  index: number;
  count: number;
  name: string;
  phase: 'start' | 'end';
  label?: string;
  ok?: boolean;
  /** All steps of a pipeline, batch by batch, with the start of the first. */
  steps?: { name: string; label: string }[];
}

/** The value of a `$/progress` notification under the stream's token. */
export type StreamValue =
  | { event: 'chunk' | 'reasoning'; data: string; requestId: string }
  | { event: 'tool'; data: ToolValue; requestId: string }
  | { event: 'step'; data: StepValue; requestId: string }
  | { event: 'usage'; data: Usage; requestId: string }
  | { event: 'done'; data: Omit<RunResult, 'text'>; requestId: string }
  | { event: 'error'; data: { status: Status; stopReason: string; code: string; message: string }; requestId: string }
  | { event: 'cancelled'; data: Record<string, never>; requestId: string };

export interface Verdict {
  applied: number[];
  stale: number[];
  rejected: number[];
}

export interface QuickAction {
  label: string;
  message: string;
}

export interface Profile {
  id: string;
  kind: 'ability' | 'domain';
  label: string;
  description: string;
  icon: string;
  color: string;
  output: 'edit' | 'insert' | 'report' | 'cards' | 'summary';
  scope: 'selection' | 'scene' | 'chapter' | 'book';
  mode: 'react' | 'pipeline' | 'single';
  /** Of a domain: its pipeline's id. */
  pipeline: string | null;
  quickActions: QuickAction[];
}

/** A new ability's file. */
export interface CreatedProfile {
  uri: string;
  id: string;
  /** Why it is not used yet, null where it is. */
  message: string | null;
}

export interface StoredRun {
  requestId: string;
  ability: string;
  /** What its ability or pipeline is called. */
  label: string;
  status: string;
  model: string;
  message: string;
  uri: string;
  path: string;
  text: string;
  createdAt: string;
  /** Of a pipeline's run only. */
  pipeline?: string;
}

/** A run with all that is kept of it. */
export interface JournalRun extends StoredRun {
  endedAt: string | null;
  usage: Usage;
  error: { code: string; message: string } | null;
  /** Of a pipeline's run only: its steps. */
  products?: Step[];
  /** Requests to the model. */
  steps: { toolCalls: { name: string; arguments: Record<string, unknown> | null; ok: boolean; seconds: number }[] }[];
}

/** Lists that come in pages; `next` is the cursor of the following one. */
export interface Runs {
  runs: StoredRun[];
  next: string | null;
}

export interface Memories {
  memories: Memory[];
  next: string | null;
}

export interface Memory {
  id: string;
  /** '' for all abilities. */
  ability: string;
  type: 'preference' | 'decision' | 'lesson';
  content: string;
  pinned: boolean;
  revision: number;
}

/** A card, or a fact of one, that waits for the writer. */
export interface Candidate {
  id: string;
  kind: 'card' | 'fact';
  state: 'pending' | 'accepted' | 'rejected';
  /** Of a fact: where its quotation stands, and what the card says to the contrary. */
  uri?: string | null;
  range?: Range;
  against?: string | null;
  type: string;
  title: string;
  content: string;
  tags: string[];
  quote: string;
  source: string;
  chapter: string;
}

/** A line that a search found; `text` is the line, or what is remembered. */
export interface Hit {
  kind: 'chapter' | 'card' | 'memory';
  path: string;
  title: string;
  line: number;
  range: Range | null;
  text: string;
  /** Of chapters and cards. */
  uri?: string;
}

export interface Found {
  total: number;
  /** Whether the hits hold all that was asked for. */
  exact: boolean;
  hits: Hit[];
  next: string | null;
}

export interface Book {
  book: { root: string; title: string; type: string; language: string };
  /** In reading order. */
  chapters: { path: string; title: string; volume: string; counts: Counts; status?: string }[];
  cards: Card[];
  /** Whether the folder was made a book, and keeps its own data. */
  owned: boolean;
  /** What the next chapter would be called; empty where chapters have no numbers. */
  next: string;
}

export interface Card {
  path: string;
  name: string;
  type: string;
  aliases: string[];
  mentions: number;
  /** Of one of several cards in a file: the file, and the line there from 0. */
  file?: string;
  line?: number;
}

/** What models used, in one currency. */
interface Sums {
  input: number;
  output: number;
  /** null: none of the requests has a price. */
  cost: number | null;
  currency: string | null;
  estimated: number;
}

export interface Spending {
  days: (Sums & { day: string })[];
  totals: Sums[];
}

/** What was called intended; `path` null: everywhere in the book. */
export interface Decisions {
  intended: { id: string; code: string; text: string; path: string | null }[];
  problems: { message: string }[];
}

export interface Summary {
  path: string;
  /** The author's own, '' for none. */
  synopsis: string;
  summary: { text: string; model: string | null; stale: boolean; madeAt: string } | null;
}

export type CountRule = 'mixed' | 'han' | 'word' | 'nonspace';

export type Counts = Record<CountRule, number>;

interface ChapterStats {
  path: string;
  title: string;
  counts: Counts;
  today: Counts;
}

export interface Stats {
  root: string;
  type: string;
  rule: CountRule;
  book: Counts;
  today: Counts;
  /** The chapter that was asked about, null for none. */
  document: ChapterStats | null;
  /** Not there where it was asked for briefly. */
  chapters: ChapterStats[];
  /** Days on which something was written, where they were asked for. */
  history?: { day: string; counts: Counts }[];
}

/** A configured model. */
export interface Model {
  id: string;
  /** What its endpoint calls it. */
  model: string | null;
  kind: 'text' | 'vision' | 'embedding';
  default: boolean;
}

/** One whose model a key under its id makes. */
export interface Vendor {
  vendor: true;
  id: string;
  label: string;
  endpoint: string;
  model: string | null;
}

/** A model server that runs on this machine. */
export interface LocalServer {
  found: true;
  id: string;
  label: string;
  endpoint: string;
  models: string[];
}

/** What an endpoint says that it offers. */
export interface Offered {
  models: string[];
  error: { code: string; message: string } | null;
}

export interface Trial {
  works: boolean;
  latency: number | null;
  error: { code: string; message: string } | null;
}
