/** The run panel's page. It shows what the extension tells it and keeps nothing of its own but what is being typed. */

import type { Act, Frame, Said, Shown } from '../src/track';
import { noted } from '../src/notes';
import { blocks } from './blocks';

interface Host {
  postMessage(said: Said): void;
  getState(): { drafts?: Record<string, string> } | undefined;
  setState(state: { drafts: Record<string, string> }): void;
}

declare function acquireVsCodeApi(): Host;

const host = acquireVsCodeApi();
const say = JSON.parse(document.body.dataset.texts ?? '{}') as Record<string, string>;
const drafts: Record<string, string> = { ...host.getState()?.drafts };
const texts = new Map<string, { text: string; reasoning: string }>();
/** The drawing that is to come, 0 for none. */
let due = 0;
let frame: Frame = { selected: '', runs: [], add: [] };

/** Acts that are offered as words, not as buttons. */
const QUIET: readonly Act[] = ['answer', 'context', 'journal', 'log'];
const FIRST: readonly Act[] = ['stop', 'review', 'resume', 'again'];
const MARKS = { waiting: '○', running: '◐', done: '✓', failed: '✗' } as const;

function get(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(id);
  return found;
}

const box = get('message') as HTMLTextAreaElement;
const toolbox = get('tools') as HTMLDetailsElement;
const thought = get('reasoning') as HTMLDetailsElement;

function make(tag: string, className: string, text: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function button(text: string, className: string, act: () => void): HTMLButtonElement {
  const made = make('button', className, text) as HTMLButtonElement;
  made.type = 'button';
  made.addEventListener('click', act);
  return made;
}

/** `{0}` and so on in a text of ours. */
function fill(text: string | undefined, ...values: (string | number)[]): string {
  return (text ?? '').replace(/\{(\d)\}/g, (_, at: string) => String(values[Number(at)] ?? ''));
}

const drawn = new Map<string, string>();

/** Draws a part only if it is not what stands there: what has the focus must not go while a text comes in. */
function part(id: string, value: unknown, draw: (into: HTMLElement) => void): void {
  const key = JSON.stringify(value);
  if (drawn.get(id) === key) return;
  drawn.set(id, key);
  const into = get(id);
  const focused = into.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.key : undefined;
  into.replaceChildren();
  draw(into);
  into.hidden = into.textContent === '';
  if (focused === undefined) return;
  const again = [...into.querySelectorAll<HTMLElement>('[data-key]')];
  (again.find((one) => one.dataset.key === focused) ?? again[0])?.focus();
}

function state(run: Shown): string {
  return say[run.status] ?? run.status;
}

function tabs(into: HTMLElement): void {
  if (frame.runs.length < 2) return;
  for (const run of [...frame.runs].reverse()) {
    const chosen = run.id === frame.selected;
    const row = make('div', chosen ? 'tab chosen' : 'tab', '');
    const tab = button('', 'name', () => host.postMessage({ kind: 'select', id: run.id }));
    tab.append(make('span', 'title', run.title), make('span', 'sub', run.message ? `${state(run)} · ${run.message}` : `${run.file} · ${state(run)}`));
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-selected', String(chosen));
    tab.title = [run.title, run.file, run.message].filter(Boolean).join('\n');
    tab.tabIndex = chosen ? 0 : -1;
    tab.dataset.key = run.id;
    row.append(tab);
    if (run.status !== 'running') {
      const close = button('×', 'close', () => host.postMessage({ kind: 'close', id: run.id }));
      close.title = say.close ?? '';
      close.setAttribute('aria-label', `${say.close ?? ''}: ${run.title}`);
      row.append(close);
    }
    into.append(row);
  }
}

function usage({ usage, model }: Shown): string {
  const name = model === 'offline' ? (say.offline ?? model) : model;
  if (!usage) return name;
  const tokens = fill(say.tokens, usage.input.toLocaleString(), usage.output.toLocaleString());
  const money = usage.cost === undefined ? '' : `${usage.currency ?? ''} ${usage.cost.toFixed(4)}${usage.estimated ? ' ≈' : ''}`;
  return [name, usage.input || usage.output ? tokens : '', money.trim()].filter(Boolean).join(' · ');
}

function acts(run: Shown): (into: HTMLElement) => void {
  return (into) => {
    for (const act of run.acts) {
      const look = QUIET.includes(act) ? 'quiet' : FIRST.includes(act) ? 'first' : 'second';
      const count = act === 'rejectAll' ? run.pending + run.stale : run.pending - run.guarded;
      const made = button(fill(say[act], count), look, () => host.postMessage({ kind: 'act', id: run.id, act }));
      made.dataset.key = act;
      into.append(made);
    }
  };
}

function steps(run: Shown): (into: HTMLElement) => void {
  return (into) => {
    for (const step of run.steps) {
      const row = make('li', step.state, '');
      row.append(make('span', 'mark', MARKS[step.state]), make('span', 'label', step.label));
      if (step.of > 1) row.append(make('span', 'count', `${step.done}/${step.of}`));
      row.setAttribute('aria-label', `${step.label}: ${say[`step.${step.state}`] ?? ''} ${step.done}/${step.of}`);
      row.title = say[`step.${step.state}`] ?? '';
      into.append(row);
    }
  };
}

function tools(run: Shown): void {
  toolbox.hidden = run.tools.length === 0;
  const names = run.tools.map((tool) => [tool.label, tool.state]);
  part('toolsSummary', names, (into) => into.append(fill(say.tools, run.tools.length)));
  part('toolsList', names, (into) => {
    for (const tool of run.tools) {
      const row = make('li', tool.state, '');
      row.append(make('span', 'mark', MARKS[tool.state]), make('span', 'label', tool.label));
      row.setAttribute('aria-label', `${tool.label}: ${say[`step.${tool.state}`] ?? ''}`);
      into.append(row);
    }
  });
}

/** What waits, in sentences; behind a Chinese full stop stands no space. */
function waiting({ pending, guarded, stale }: Shown): string {
  const said = [
    pending ? fill(say.pending, pending) : '',
    guarded ? fill(guarded === 1 ? say.guardedOne : say.guarded, guarded) : '',
    stale ? fill(say.stale, stale) : '',
  ];
  return said.filter(Boolean).join(' ').replaceAll('。 ', '。');
}

let shownBlocks: string[] = [];

/** Draws the blocks that are not what they were; what the reader has selected above stays selected. */
function article(text: string): void {
  const into = get('text');
  const fresh = blocks(noted(text, say.notes ?? ''));
  for (const [index, html] of fresh.entries()) {
    if (shownBlocks[index] === html) continue;
    const made = document.createElement('div');
    made.innerHTML = html;
    const old = into.children[index];
    if (old) old.replaceWith(made);
    else into.append(made);
  }
  while (into.children.length > fresh.length) into.lastElementChild?.remove();
  shownBlocks = fresh;
}

function draw(): void {
  const run = frame.runs.find((one) => one.id === frame.selected);
  part('runs', frame.runs.map((one) => [one.id, one.title, one.status, one.id === frame.selected]), tabs);
  get('empty').hidden = run !== undefined;
  get('run').hidden = run === undefined;
  if (!run) return;
  const scroll = get('scroll');
  const other = drawn.get('run') !== run.id;
  if (other) {
    drawn.set('run', run.id);
    shownBlocks = [];
    get('text').replaceChildren();
    box.value = drafts[run.id] ?? '';
    thought.open = false;
    toolbox.open = false;
  }
  // Who reads from the top is left there; who has gone to the end sees what comes.
  const more = scroll.scrollHeight - scroll.clientHeight;
  const follows = !other && more > 24 && more - scroll.scrollTop < 24;
  part('title', [run.title, run.file], (into) => into.append(run.title, make('span', 'sub', run.file)));
  // Announced: how it stands, not every number on the way.
  part('state', [run.id, run.status], (into) => into.append(make('span', `chip ${run.status}`, state(run))));
  part('now', run.now, (into) => into.append(run.now));
  part('usage', usage(run), (into) => into.append(usage(run)));
  part('acts', [run.id, run.acts, run.pending, run.guarded, run.stale], acts(run));
  part('waiting', [run.pending, run.guarded, run.stale], (into) => into.append(waiting(run)));
  part('said', run.message, (into) => into.append(run.message));
  part('trouble', [run.trouble, run.status], (into) => {
    if (run.trouble && run.status !== 'cancelled') into.append(run.trouble);
  });
  part('steps', [run.id, run.steps], steps(run));
  tools(run);
  const { text, reasoning } = texts.get(run.id) ?? { text: '', reasoning: '' };
  thought.hidden = reasoning === '';
  if (thought.open) part('thoughts', reasoning, (into) => into.append(reasoning));
  article(text);
  get('text').setAttribute('aria-busy', String(run.status === 'running'));
  get('follow').hidden = !run.followed;
  if (other) scroll.scrollTop = 0;
  else if (follows) scroll.scrollTop = scroll.scrollHeight;
}

function send(): void {
  const message = box.value.trim();
  const run = frame.runs.find((one) => one.id === frame.selected);
  if (!message || !run?.followed) return;
  host.postMessage({ kind: 'follow', id: run.id, message });
  box.value = '';
  keep('');
}

function keep(text: string): void {
  drafts[frame.selected] = text;
  const known = frame.runs.map((run) => run.id);
  host.setState({ drafts: Object.fromEntries(Object.entries(drafts).filter(([id, draft]) => draft && known.includes(id))) });
}

box.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
  event.preventDefault();
  send();
});
box.addEventListener('input', () => keep(box.value));
get('follow').addEventListener('submit', (event) => {
  event.preventDefault();
  send();
});
get('start').addEventListener('click', () => host.postMessage({ kind: 'start' }));
get('past').addEventListener('click', () => host.postMessage({ kind: 'past' }));
thought.addEventListener('toggle', () => draw());
get('runs').addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  const all = [...document.querySelectorAll<HTMLElement>('#runs [role=tab]')];
  const next = step && all[all.indexOf(document.activeElement as HTMLElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.click();
});

window.addEventListener('message', ({ data }: MessageEvent<Frame>) => {
  for (const { id, text, reasoning, whole } of data.add) {
    const known = whole ? { text: '', reasoning: '' } : (texts.get(id) ?? { text: '', reasoning: '' });
    texts.set(id, { text: known.text + text, reasoning: known.reasoning + reasoning });
  }
  frame = data;
  for (const id of texts.keys()) if (!frame.runs.some((run) => run.id === id)) texts.delete(id);
  // A long text takes longer to draw than the next part of it to come: what came meanwhile is drawn at once.
  due ||= requestAnimationFrame(() => {
    due = 0;
    draw();
  });
});
host.postMessage({ kind: 'ready' });
