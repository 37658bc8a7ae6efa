/** The side bar: the book, its cards, what is remembered, the runs, and what they cost. */

import * as vscode from 'vscode';
import { Chapters } from './chapters';
import { inTurn } from './boxes';
import type { Connection } from './client';
import { type Memories, typeName } from './memories';
import { modelName, type Past, stateOf } from './past';
import { place, tail } from './places';
import type { Book, Card, Model, Spending } from './protocol';
import { ROW_ACTS, type RowAct } from './rowActs';
import type { Runs } from './runs';
import { oneLine, why } from './said';
import { type Node, Tree } from './tree';

/** Milliseconds in which several reasons to load anew are one. */
const PAUSE = 400;

export class Views implements vscode.Disposable {
  private readonly trees: Tree[];
  private readonly disposables: vscode.Disposable[] = [];
  private due: NodeJS.Timeout | undefined;
  /** The document or folder whose book is shown; '' for none. */
  private shown = '';

  constructor(
    private readonly connection: Connection,
    private readonly runs: Runs,
    private readonly memories: Memories,
    private readonly past: Past,
  ) {
    const chapters = new Chapters(
      connection,
      (uri) => runs.pipeline({ uri }),
      () => this.refresh(),
    );
    this.trees = [
      new Tree('inkwright.book', () => this.ofBook((uri) => chapters.rows(uri)), chapters),
      new Tree('inkwright.cards', () => this.ofBook((uri) => this.cards(uri))),
      new Tree('inkwright.memories', () => this.ofBook((uri) => this.remembered(uri))),
      new Tree('inkwright.runs', () => this.ofBook((uri) => this.journal(uri))),
      new Tree('inkwright.usage', () => this.ofBook((uri) => this.spent(uri))),
    ];
    const again = (): void => this.refresh();
    this.disposables.push(
      ...this.trees,
      ...ROW_ACTS.map((name) =>
        vscode.commands.registerCommand(`inkwrightClient.row.${name}`, (node?: Node) => this.act(node, name)),
      ),
      vscode.commands.registerCommand('inkwrightClient.refreshViews', again),
      connection.onReady((ready) => {
        if (!ready) for (const tree of this.trees) tree.forget();
        // The text of the view is the same for everybody: what the setting names is said beside the title.
        const [book] = this.trees;
        if (book) book.view.description = tail(connection.wrong);
        this.refresh();
      }),
      connection.onChanged(again),
      connection.onModels(again),
      connection.onElsewhere(again),
      runs.onChanged(again),
      vscode.workspace.onDidSaveTextDocument(({ languageId }) => {
        if (languageId === 'markdown' || languageId === 'toml') this.refresh();
      }),
      vscode.workspace.onDidCreateFiles(again),
      vscode.workspace.onDidDeleteFiles(again),
      vscode.workspace.onDidRenameFiles(again),
      vscode.workspace.onDidChangeWorkspaceFolders(again),
      vscode.window.onDidChangeActiveTextEditor(() => {
        // What lies in one folder is of one book, and rows that are made anew cannot be dragged on.
        if (folderOf(place()) !== folderOf(this.shown)) this.refresh();
      }),
    );
  }

  /** Loads what is in sight anew, a moment later. */
  refresh(): void {
    clearTimeout(this.due);
    this.due = setTimeout(() => {
      this.shown = place();
      for (const tree of this.trees) void tree.refresh();
    }, PAUSE);
  }

  dispose(): void {
    clearTimeout(this.due);
    for (const one of this.disposables) one.dispose();
  }

  /** Undefined: nothing is known, for there is no server that could be asked. */
  private async ofBook(rows: (uri: string) => Promise<Node[]>): Promise<Node[] | undefined> {
    if (!this.connection.running) return undefined;
    const uri = (this.shown ||= place());
    return uri ? rows(uri) : [];
  }

  private async act(node: Node | undefined, name: RowAct): Promise<void> {
    try {
      await node?.acts?.[name]?.();
    } catch (error) {
      void vscode.window.showErrorMessage(`Inkwright: ${why(error)}`);
    }
    this.refresh();
  }

  private async cards(uri: string): Promise<Node[]> {
    const { book, cards } = await this.connection.execute<Book>('inkwright.getBook', { uri });
    const root = vscode.Uri.file(book.root);
    const types = new Map<string, Card[]>();
    for (const card of cards) types.set(card.type, [...(types.get(card.type) ?? []), card]);
    return [...types].sort(byKnownType).map(([type, all]) => ({
      label: cardTypeName(type),
      description: String(all.length),
      icon: ICONS[type] ?? 'note',
      open: types.size === 1 || type === 'character',
      children: all
        .sort((a, b) => b.mentions - a.mentions || a.name.localeCompare(b.name))
        .map((card) => ({
          label: card.name,
          description: [card.mentions ? `×${card.mentions}` : '', card.aliases.join(' / ')].filter(Boolean).join(' · '),
          tooltip: [card.name, ...card.aliases].join(' · '),
          file: vscode.Uri.joinPath(root, card.file ?? card.path),
          ...(card.line === undefined ? {} : { line: card.line }),
        })),
    }));
  }

  private async remembered(uri: string): Promise<Node[]> {
    const { memories } = await this.memories.all(uri, 200);
    return memories.map((memory) => ({
      label: oneLine(memory.content),
      description: [typeName(memory.type), memory.ability].filter(Boolean).join(' · '),
      tooltip: memory.content,
      icon: memory.pinned ? 'pinned' : 'lightbulb',
      click: 'edit' as const,
      of: memory,
      acts: {
        edit: () => this.memories.edit(uri, memory),
        [memory.pinned ? 'unpin' : 'pin']: () => this.memories.update(uri, memory, { pinned: !memory.pinned }),
        delete: () => this.memories.delete(uri, memory),
      },
    }));
  }

  private async journal(uri: string): Promise<Node[]> {
    const live = this.runs.going.map(({ requestId, title, file }) => ({
      label: title,
      description: [file, vscode.l10n.t('running')].join(' · '),
      tooltip: [title, file].join(' · '),
      icon: 'sync~spin',
      click: 'live' as const,
      of: requestId,
      acts: { cancel: () => this.connection.execute('inkwright.cancelRun', { requestId }) },
    }));
    const past = (await this.past.page(uri)).runs.filter((run) => !this.runs.ids.includes(run.requestId));
    return [
      ...live,
      ...past.map((run) => ({
        // A narrow side bar shows what comes first; all of it stands in the tooltip.
        label: run.label,
        description: [(run.path.split('/').pop() ?? '').replace(/\.md$/, ''), when(run.createdAt), stateOf(run)].join(' · '),
        tooltip: [
          `${run.label} · ${run.path}`,
          `${stateOf(run)} · ${new Date(run.createdAt).toLocaleString(vscode.env.language)}`,
          [run.message, modelName(run.model)].filter(Boolean).join(' · '),
        ].join('\n'),
        icon: STATES[run.status] ?? 'circle-outline',
        click: 'journal' as const,
        of: [run.requestId, run.status, run.text.length],
        acts: Object.fromEntries(this.past.acts(run).map((act) => [act.name, () => inTurn((boxes) => Promise.resolve(act.run(boxes)))])),
      })),
    ];
  }

  private async spent(uri: string): Promise<Node[]> {
    const [{ days, totals }, models] = await Promise.all([
      this.connection.execute<Spending>('inkwright.usage', { uri, days: 30 }),
      this.connection.execute<Model[]>('inkwright.listModels', {}),
    ]);
    const offline = models.find((one) => one.default)?.id === 'offline';
    void vscode.commands.executeCommand('setContext', 'inkwright.offline', offline);
    if (!totals.length) return [];
    const { language } = vscode.env;
    // Short where it stands, whole in the tooltip: a number that is cut reads as another one.
    const brief = (count: number): string => count.toLocaleString(language, { notation: 'compact' });
    const money = ({ cost, currency, estimated }: Spending['totals'][number], digits: number): string =>
      cost === null ? '' : `${priced(cost, currency ?? '', language, digits)}${estimated ? ' ≈' : ''}`;
    const row = (label: string, whole: string, one: Spending['totals'][number]): Node => ({
      label,
      description: [money(one, 2), vscode.l10n.t('{0} in, {1} out', brief(one.input), brief(one.output))]
        .filter(Boolean)
        .join(' · '),
      tooltip: [whole, money(one, 4), vscode.l10n.t('{0} in, {1} out', one.input.toLocaleString(language), one.output.toLocaleString(language))]
        .filter(Boolean)
        .join('\n'),
      icon: 'graph',
    });
    return [
      ...totals.map((one) => row(vscode.l10n.t('30 days'), vscode.l10n.t('Last 30 days'), one)),
      ...days.map((one) => row(shortDay(one.day, language), one.day, one)),
    ];
  }
}

/** A day as one says it in the language, without the year: there are thirty. */
function shortDay(day: string, language: string): string {
  const date = new Date(`${day}T00:00`);
  return Number.isNaN(date.getTime()) ? day : date.toLocaleDateString(language, { month: 'numeric', day: 'numeric' });
}

/** When something was: of today the time, else the day. */
function when(time: string): string {
  const date = new Date(time);
  const { language } = vscode.env;
  return date.toDateString() === new Date().toDateString()
    ? date.toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' })
    : date.toLocaleDateString(language, { year: '2-digit', month: 'numeric', day: 'numeric' });
}

/** An amount by its sign; less than the last digit says is no nothing. */
function priced(cost: number, currency: string, language: string, digits: number): string {
  const least = 10 ** -digits;
  const shown = (amount: number): string => {
    const number = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    try {
      return amount.toLocaleString(language, { ...number, style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
    } catch {
      return `${currency} ${amount.toLocaleString(language, number)}`;
    }
  };
  return cost > 0 && cost < least ? `<${shown(least)}` : shown(cost);
}

function folderOf(uri: string): string {
  return uri.slice(0, uri.lastIndexOf('/'));
}

const TYPES = ['character', 'location', 'faction', 'item', 'timeline', 'misc'];

const ICONS: Record<string, string> = {
  character: 'person',
  location: 'location',
  faction: 'organization',
  item: 'package',
  timeline: 'history',
};

const STATES: Record<string, string> = {
  completed: 'pass',
  partial: 'warning',
  failed: 'error',
  cancelled: 'circle-slash',
  interrupted: 'debug-disconnect',
};

function byKnownType([a]: [string, unknown], [b]: [string, unknown]): number {
  const at = (type: string): number => (TYPES.includes(type) ? TYPES.indexOf(type) : TYPES.length);
  return at(a) - at(b) || a.localeCompare(b);
}

function cardTypeName(type: string): string {
  switch (type) {
    case 'character':
      return vscode.l10n.t('Characters');
    case 'location':
      return vscode.l10n.t('Places');
    case 'faction':
      return vscode.l10n.t('Factions');
    case 'item':
      return vscode.l10n.t('Items');
    case 'timeline':
      return vscode.l10n.t('Times');
    case 'misc':
      return vscode.l10n.t('Others');
    default:
      return type;
  }
}
