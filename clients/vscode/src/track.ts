/** A run as the panel shows it: put together from its stream and its result. No editor in here. */

import type {
  Ask,
  Hunk,
  PipelineAsk,
  RunResult,
  Status,
  StepValue,
  StreamValue,
  ToolValue,
  Usage,
  Verdict,
} from './protocol';

export interface ShownTool {
  id: string;
  label: string;
  state: 'running' | 'done' | 'failed';
}

/** A step of a pipeline: `done` of its `of` batches. */
export interface ShownStep {
  name: string;
  label: string;
  done: number;
  of: number;
  state: 'waiting' | 'running' | 'done' | 'failed';
}

/** What a button of the panel does. */
export type Act =
  | 'stop'
  | 'review'
  | 'acceptAll'
  | 'rejectAll'
  | 'cards'
  | 'candidates'
  | 'resume'
  | 'again'
  | 'model'
  | 'answer'
  | 'context'
  | 'journal'
  | 'log';

/** What the panel is told: every run, and what came to their texts; `whole` texts stand for all that was told before. */
export interface Frame {
  selected: string;
  runs: Shown[];
  add: { id: string; text: string; reasoning: string; whole: boolean }[];
}

/** What the panel says. */
export type Said =
  | { kind: 'ready' | 'start' | 'past' }
  | { kind: 'act'; id: string; act: Act }
  | { kind: 'follow'; id: string; message: string }
  | { kind: 'select' | 'close'; id: string };

/** What the panel is told of a run beside its texts. */
export interface Shown {
  id: string;
  title: string;
  /** The name of the document that the run is about. */
  file: string;
  /** What the writer asked for in their own words. */
  message: string;
  pipeline: boolean;
  status: 'running' | Status;
  /** What the server is at, in its words. */
  now: string;
  tools: ShownTool[];
  steps: ShownStep[];
  usage: Usage | null;
  model: string;
  /** What went wrong and what to do. */
  trouble: string;
  /** Hunks that can still be accepted, how many of them the guard found something in, and those whose text was edited meanwhile. */
  pending: number;
  guarded: number;
  stale: number;
  acts: Act[];
  /** Whether a further message can be sent: there is an answer to go on from. */
  followed: boolean;
}

export class Track {
  status: 'running' | Status = 'running';
  now = '';
  text = '';
  reasoning = '';
  tools: ShownTool[] = [];
  steps: ShownStep[] = [];
  usage: Usage | null = null;
  model = '';
  trouble = '';
  cards: string[] = [];
  /** Ids of those that wait. */
  candidates: readonly string[] = [];
  proposal = '';
  private readonly waiting = new Map<number, 'sound' | 'guarded' | 'stale'>();
  private code = '';
  private ran = false;

  /** `pipeline` tells which of the two asks it is. */
  constructor(
    readonly id: string,
    readonly title: string,
    public file: string,
    public ask: Ask | PipelineAsk,
    public pipeline: boolean,
  ) {}

  get uri(): string {
    return this.ask.uri;
  }

  /** The document has another name now. */
  moved(uri: string, file: string): void {
    this.ask = { ...this.ask, uri };
    this.file = file;
  }

  /** Takes a value of the stream in. */
  event(value: StreamValue): void {
    switch (value.event) {
      case 'chunk':
        this.text += value.data;
        break;
      case 'reasoning':
        this.reasoning += value.data;
        break;
      case 'tool':
        this.tool(value.data);
        break;
      case 'step':
        this.step(value.data);
        break;
      case 'usage':
        this.usage = value.data;
        break;
      default:
      // How it ended is told by the result, which says more.
    }
  }

  /** The run has ended with a result. */
  ended(result: RunResult): void {
    this.status = result.status;
    this.now = '';
    this.text = result.text;
    this.usage = result.usage;
    this.model = result.model;
    this.ran = result.model !== '';
    this.cards = result.cards ?? [];
    this.candidates = result.candidates ?? [];
    this.pipeline ||= Boolean(result.pipeline);
    this.trouble = result.error?.message ?? '';
    this.code = result.error?.code ?? '';
    this.proposal = result.proposal?.id ?? '';
    this.waits(result.proposal?.hunks ?? []);
    this.interrupt();
    if (result.steps?.length) this.steps = stepsOf(result, this.steps);
  }

  /** There is no result: the server is gone, or it did not understand. */
  broke(trouble: string): void {
    this.status = 'failed';
    this.now = '';
    this.trouble = trouble;
    // What has come of it stands in the journal too.
    this.ran = this.text !== '' || this.reasoning !== '' || this.tools.length > 0 || this.steps.length > 0;
    this.interrupt();
    for (const step of this.steps) if (step.state === 'running') step.state = 'failed';
  }

  /** Hunks of the proposal were decided. */
  decided(verdict: Verdict): void {
    for (const index of [...verdict.applied, ...verdict.stale, ...verdict.rejected]) this.waiting.delete(index);
  }

  /** What waits of the proposal, as the server says: decisions can be taken anywhere. */
  waits(hunks: readonly Pick<Hunk, 'index' | 'findings' | 'stale'>[]): void {
    this.waiting.clear();
    for (const { index, findings, stale } of hunks) {
      this.waiting.set(index, stale ? 'stale' : findings.length > 0 ? 'guarded' : 'sound');
    }
  }

  shown(): Shown {
    const { id, title, file, pipeline, status, now, tools, steps, usage, model, trouble } = this;
    const hunks = [...this.waiting.values()];
    const stale = hunks.filter((state) => state === 'stale').length;
    const guarded = hunks.filter((state) => state === 'guarded').length;
    const pending = hunks.length - stale;
    return {
      ...{ id, title, file, pipeline, status, now, tools, steps, usage, model, trouble, pending, guarded, stale },
      message: this.ask.message ?? '',
      acts: this.acts(),
      followed: !pipeline && this.text !== '' && (status === 'completed' || status === 'partial'),
    };
  }

  /** What can be done with the run as it stands. */
  acts(): Act[] {
    if (this.status === 'running') return ['stop'];
    const ended = this.status;
    const hunks = [...this.waiting.values()];
    const out: [Act, boolean][] = [
      ['review', hunks.some((state) => state !== 'stale')],
      ['acceptAll', hunks.includes('sound')],
      ['rejectAll', hunks.length > 0],
      ['cards', this.cards.length > 0],
      ['candidates', this.candidates.length > 0],
      ['resume', this.pipeline && this.ran && ended !== 'completed'],
      ['again', !(this.pipeline && this.ran) && ended !== 'completed'],
      ['model', /needs_model|auth|balance|key/.test(this.code)],
      ['answer', this.text !== ''],
      ['context', this.ran],
      ['journal', this.ran],
      ['log', ended === 'failed'],
    ];
    return out.filter(([, offered]) => offered).map(([act]) => act);
  }

  /** What was looked up and had no end has none. */
  private interrupt(): void {
    this.tools = this.tools.map((tool) => (tool.state === 'running' ? { ...tool, state: 'failed' } : tool));
  }

  private tool(data: ToolValue): void {
    if (data.phase === 'start') {
      this.tools.push({ id: data.id, label: data.label ?? data.name, state: 'running' });
      return;
    }
    const found = this.tools.find((tool) => tool.id === data.id && tool.state === 'running');
    if (found) found.state = data.ok === false ? 'failed' : 'done';
  }

  private step(data: StepValue): void {
    for (const { name, label } of data.steps ?? []) {
      const known = this.steps.find((step) => step.name === name);
      if (known) known.of += 1;
      else this.steps.push({ name, label, done: 0, of: 1, state: 'waiting' });
    }
    const step = this.steps.find(({ name }) => name === data.name);
    if (!step) return;
    if (data.phase === 'end' && data.ok !== false) step.done += 1;
    if (data.phase === 'start') step.state = 'running';
    else if (data.ok === false) step.state = 'failed';
    else step.state = step.done >= step.of ? 'done' : 'waiting';
  }
}

/** Every step of a result with how far it came; `known` says what they are called. */
function stepsOf(result: RunResult, known: readonly ShownStep[]): ShownStep[] {
  const out: ShownStep[] = [];
  for (const { name, status } of result.steps ?? []) {
    let step = out.find((one) => one.name === name);
    if (!step) {
      step = { name, label: known.find((one) => one.name === name)?.label ?? name, done: 0, of: 0, state: 'waiting' };
      out.push(step);
    }
    step.of += 1;
    if (status === 'completed') step.done += 1;
    else if (status !== 'pending') step.state = 'failed';
  }
  for (const step of out) if (step.done === step.of) step.state = 'done';
  return out;
}
