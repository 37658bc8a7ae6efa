/** The status bar: what is written, the kind of book with its model, and what is running. */

import * as vscode from 'vscode';
import type { Connection } from './client';
import { document } from './places';
import type { Model, Stats } from './protocol';
import type { Runs } from './runs';
import * as settings from './settings';

/** Milliseconds without a keystroke after which the counts are asked for anew. */
const PAUSE = 1500;

export class Status implements vscode.Disposable {
  private readonly counts = item('inkwright.counts', vscode.StatusBarAlignment.Right, 101, 'inkwrightClient.stats');
  private readonly book = item('inkwright.model', vscode.StatusBarAlignment.Right, 100, 'inkwrightClient.setUpModel');
  private readonly run = item('inkwright.run', vscode.StatusBarAlignment.Left, 0, 'inkwrightClient.showLive');
  private readonly listeners: vscode.Disposable[];
  private due: NodeJS.Timeout | undefined;
  private asked = 0;
  /** The gain of the day when the session began, by book. */
  private readonly began = new Map<string, number>();

  constructor(
    private readonly connection: Connection,
    private readonly runs: Runs,
  ) {
    const soon = (): void => this.later(0);
    this.listeners = [
      connection.onReady(soon),
      connection.onChanged(soon),
      runs.onChanged(() => this.showRun()),
      vscode.window.onDidChangeActiveTextEditor(soon),
      vscode.workspace.onDidSaveTextDocument(soon),
      vscode.workspace.onDidChangeTextDocument(({ document: changed }) => {
        if (changed === vscode.window.activeTextEditor?.document) this.later(PAUSE);
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('inkwright')) this.later(PAUSE);
      }),
    ];
    this.later(0);
  }

  dispose(): void {
    clearTimeout(this.due);
    for (const one of [this.counts, this.book, this.run, ...this.listeners]) one.dispose();
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
    if (!settings.statusBar() || !this.connection.running || uri?.scheme !== 'file' || !isText(uri)) {
      this.hide();
      return;
    }
    const argument = { uri: uri.toString() };
    const [stats, models] = await Promise.all([
      this.connection.execute<Stats>('inkwright.stats', { ...argument, brief: true }),
      this.connection.execute<Model[]>('inkwright.listModels', {}),
    ]);
    if (asked !== this.asked) return;
    this.showCounts(stats);
    const model = models.find((one) => one.default)?.id ?? 'offline';
    this.book.text = `${stats.type || 'novel'} · ${model}`;
    this.book.tooltip = vscode.l10n.t('Kind of book: {0}. Model: {1}. Click to set up a model.', stats.type || 'novel', model);
    this.book.show();
  }

  private showCounts(stats: Stats): void {
    const { root, rule } = stats;
    const today = stats.today[rule];
    if (!this.began.has(root)) this.began.set(root, today);
    const session = today - (this.began.get(root) ?? 0);
    const { daily, session: wanted } = settings.goals();
    const chapter = stats.document?.counts[rule];
    const reached = daily > 0 && today >= daily;
    const gained = daily > 0 ? `${today.toLocaleString()}/${daily.toLocaleString()}` : signed(today);
    this.counts.text = [chapter?.toLocaleString(), `${gained}${reached ? ' $(check)' : ''}`].filter(Boolean).join(' · ');
    this.counts.tooltip = [
      chapter === undefined ? '' : vscode.l10n.t('This chapter: {0}', chapter.toLocaleString()),
      vscode.l10n.t('The book: {0}', stats.book[rule].toLocaleString()),
      vscode.l10n.t('Today: {0}', gained),
      vscode.l10n.t('This session: {0}', wanted > 0 ? `${session.toLocaleString()}/${wanted.toLocaleString()}` : signed(session)),
    ]
      .filter(Boolean)
      .join('\n');
    this.counts.show();
  }

  private showRun(): void {
    const [first, ...more] = this.runs.going;
    if (!first) {
      this.run.hide();
      return;
    }
    this.run.text = `$(sync~spin) ${first.title}${more.length ? ` +${more.length}` : ''}`;
    this.run.tooltip = vscode.l10n.t('Show the live text');
    this.run.show();
  }

  private hide(): void {
    this.counts.hide();
    this.book.hide();
  }
}

/** Days of writing as a page: a bar for each, against the day's goal where there is one. */
export function progressPage({ rule, history = [], book, today }: Stats, daily: number): string {
  const most = Math.max(1, daily, ...history.map((day) => day.counts[rule]));
  const row = (day: string, count: number): string => {
    const bar = '█'.repeat(Math.round((24 * Math.max(0, count)) / most));
    const mark = daily > 0 && count >= daily ? ' ✓' : '';
    return `| ${day} | ${bar} | ${count.toLocaleString()}${mark} |`;
  };
  return [
    `# ${vscode.l10n.t('Writing Progress')}`,
    '',
    `${vscode.l10n.t('The book: {0}', book[rule].toLocaleString())} · ${vscode.l10n.t('Today: {0}', today[rule].toLocaleString())}`,
    '',
    `| ${vscode.l10n.t('Day')} | | ${vscode.l10n.t('Count')} |`,
    '| --- | --- | ---: |',
    ...[...history].reverse().map((day) => row(day.day, day.counts[rule])),
    '',
  ].join('\n');
}

function item(id: string, side: vscode.StatusBarAlignment, priority: number, command: string): vscode.StatusBarItem {
  const made = vscode.window.createStatusBarItem(id, side, priority);
  made.command = command;
  made.name = 'Inkwright';
  return made;
}

function isText(uri: vscode.Uri): boolean {
  return /\.(md|markdown|txt|nwd)$/i.test(uri.path);
}

function signed(count: number): string {
  return `${count < 0 ? '' : '+'}${count.toLocaleString()}`;
}
