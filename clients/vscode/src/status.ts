/** The status bar: what is written, the kind of book, its model, and what is running. */

import * as vscode from 'vscode';
import type { Connection } from './client';
import type { Focus } from './focus';
import { GOAL_COMMANDS, goalActs } from './goals';
import { modelName } from './past';
import { document, place } from './places';
import type { Book, Model, Stats } from './protocol';
import type { Runs } from './runs';
import * as settings from './settings';
import type { Sitting } from './sitting';

/** Milliseconds without a keystroke after which the counts are asked for anew. */
const PAUSE = 1500;

export class Status implements vscode.Disposable {
  private readonly counts = new Item('inkwright.counts', vscode.StatusBarAlignment.Right, 101.2, 'inkwrightClient.goals');
  private readonly domain = new Item('inkwright.domain', vscode.StatusBarAlignment.Right, 101.1);
  private readonly model = new Item('inkwright.model', vscode.StatusBarAlignment.Right, 101, 'inkwrightClient.setUpModel');
  private readonly down = new Item('inkwright.down', vscode.StatusBarAlignment.Right, 101, 'inkwrightClient.restart');
  private readonly run = new Item('inkwright.run', vscode.StatusBarAlignment.Left, 0, 'inkwrightClient.showLive');
  private readonly listeners: vscode.Disposable[];
  private due: NodeJS.Timeout | undefined;
  private asked = 0;
  /** What a kind of book is called, by its id. */
  private readonly labels = new Map<string, string>();

  constructor(
    private readonly connection: Connection,
    private readonly runs: Runs,
    private readonly focus: Focus,
    private readonly sitting: Sitting,
  ) {
    const soon = (): void => this.later(0);
    this.listeners = [
      connection.onReady(soon),
      connection.onChanged(soon),
      connection.onModels(soon),
      connection.onElsewhere(soon),
      focus.onChanged(soon),
      runs.onChanged(() => this.showRun()),
      vscode.window.onDidChangeActiveTextEditor(soon),
      vscode.workspace.onDidSaveTextDocument(soon),
      vscode.workspace.onDidChangeTextDocument(({ document: changed }) => {
        if (changed === vscode.window.activeTextEditor?.document) this.later(PAUSE);
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('inkwright')) this.later(event.affectsConfiguration('inkwright.goals') ? 0 : PAUSE);
      }),
    ];
    this.later(0);
  }

  dispose(): void {
    clearTimeout(this.due);
    for (const one of [this.counts, this.domain, this.model, this.down, this.run, ...this.listeners]) one.dispose();
  }

  private later(pause: number): void {
    clearTimeout(this.due);
    this.due = setTimeout(() => {
      this.show().catch(() => this.hide());
    }, pause);
  }

  private async show(): Promise<void> {
    const uri = document();
    const asked = ++this.asked;
    if (this.connection.down) this.down.show('$(warning) Inkwright', vscode.l10n.t('The server is not running. Click to start it again.'));
    else this.down.hide();
    if (!settings.statusBar() || this.focus.on || !this.connection.running || uri?.scheme !== 'file' || !isText(uri)) {
      this.hide();
      return;
    }
    const [stats, models] = await Promise.all([
      this.stats(uri),
      this.connection.execute<Model[]>('inkwright.listModels', {}),
    ]);
    const type = stats.type || 'novel';
    if (!this.labels.has(type)) {
      for (const { id, label } of await this.runs.domains(uri.toString())) this.labels.set(id, label);
    }
    if (asked !== this.asked) return;
    this.showCounts(stats);
    const label = this.labels.get(type) ?? type;
    this.domain.show(`$(book) ${label}`, vscode.l10n.t('Kind of book: {0}', label));
    const model = models.find((one) => one.default)?.id;
    if (model === undefined) {
      this.model.show(
        `$(warning) ${vscode.l10n.t('no model')}`,
        vscode.l10n.t('The model that the settings name cannot be used, and no other one takes its place. Click to set one up.'),
      );
    } else {
      this.model.show(
        `$(chip) ${modelName(model)}`,
        model === 'offline'
          ? vscode.l10n.t('Abilities work offline, by rules. Click to choose a model, or to set one up.')
          : vscode.l10n.t('Model: {0}. Click to choose another one, or to set one up.', model),
      );
    }
  }

  /** The counts of the book that a document is of. A page or a profile outside of the window's folders is no chapter of any. */
  private async stats(uri: vscode.Uri): Promise<Stats> {
    const ask = (at: string): Promise<Stats> => this.connection.execute<Stats>('inkwright.stats', { uri: at, brief: true });
    const here = uri.toString();
    if (!vscode.workspace.workspaceFolders?.length || vscode.workspace.getWorkspaceFolder(uri)) return ask(here);
    const { owned } = await this.connection.execute<Book>('inkwright.getBook', { uri: here });
    return owned ? ask(here) : { ...(await ask(place())), document: null };
  }

  private showCounts(stats: Stats): void {
    const { root, rule } = stats;
    const number = (count: number): string => count.toLocaleString(vscode.env.language);
    // Whoever cuts has written nothing, not less than nothing.
    const against = (count: number, goal: number): string => {
      const written = number(Math.max(0, count));
      return goal > 0 ? `${written}/${number(goal)}${count >= goal ? ' ✓' : ''}` : `+${written}`;
    };
    const { daily, session } = settings.goals();
    const today = against(stats.today[rule], daily);
    const sitting = against(this.sitting.gained(root, stats.today[rule]), session);
    const chapter = stats.document?.counts[rule];
    const book = number(stats.book[rule]);
    // A goal for the sitting alone is what the writer wants to see.
    const gained = daily === 0 && session > 0 ? sitting : today;
    const text = [`$(pencil) ${gained}`, ...(chapter === undefined ? [] : [number(chapter)]), book].join(' · ');
    const tooltip = [
      vscode.l10n.t('Today: {0}', today),
      vscode.l10n.t('This session: {0}', sitting),
      ...(chapter === undefined ? [] : [vscode.l10n.t('This chapter: {0}', number(chapter))]),
      vscode.l10n.t('The book: {0}', book),
    ];
    const acts = goalActs().map(({ label, command }) => `[${label}](command:${command})`);
    this.counts.show(text, [tooltip.join('  \n'), acts.join(' · ')].join('\n\n'), GOAL_COMMANDS);
  }

  private showRun(): void {
    const [first, ...more] = this.runs.going;
    if (!first) {
      this.run.hide();
      return;
    }
    const text = `$(sync~spin) ${first.title}${more.length ? ` +${more.length}` : ''}`;
    this.run.show(text, vscode.l10n.t('Show the run panel'));
  }

  private hide(): void {
    for (const one of [this.counts, this.domain, this.model]) one.hide();
  }
}

/** An item that is touched only when what it says has changed: the bar does not flicker. */
class Item implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private shown = '';

  constructor(id: string, side: vscode.StatusBarAlignment, priority: number, command?: string) {
    this.item = vscode.window.createStatusBarItem(id, side, priority);
    this.item.name = 'Inkwright';
    if (command) this.item.command = command;
  }

  /** With `links` the tooltip is Markdown, whose links may run these commands. */
  show(text: string, tooltip: string, links?: readonly string[]): void {
    const now = `${text}\n${tooltip}`;
    if (now === this.shown) return;
    this.shown = now;
    this.item.text = text;
    this.item.tooltip = links ? linked(tooltip, links) : tooltip;
    this.item.show();
  }

  hide(): void {
    this.shown = '';
    this.item.hide();
  }

  dispose(): void {
    this.item.dispose();
  }
}

function linked(text: string, enabledCommands: readonly string[]): vscode.MarkdownString {
  const out = new vscode.MarkdownString(text);
  out.isTrusted = { enabledCommands };
  return out;
}

function isText(uri: vscode.Uri): boolean {
  return /\.(md|markdown|txt|nwd)$/i.test(uri.path);
}
