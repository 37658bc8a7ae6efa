/** The page of writing progress: goals, and what was written day by day. */

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { filled, inARow, page } from './chart';
import type { Connection } from './client';
import { SECTION, type Stats } from './protocol';
import * as settings from './settings';
import type { Sitting } from './sitting';

/** What a goal can be set by, from the page and from the status bar. */
export const GOAL_COMMANDS = ['inkwrightClient.setDailyGoal', 'inkwrightClient.setSessionGoal'] as const;

const DAYS = 30;
/** Milliseconds in which several reasons to draw anew are one. */
const PAUSE = 1000;

export class Goals implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private uri = '';
  /** Of the page's style, which is all that it has beside text. */
  private readonly nonce = randomBytes(16).toString('base64');
  private due: NodeJS.Timeout | undefined;
  /** The settings that were said to be wrong, until they are right again. */
  private wrong: readonly string[] = [];
  private readonly listeners: vscode.Disposable[];

  constructor(
    private readonly connection: Connection,
    private readonly sitting: Sitting,
  ) {
    const later = (): void => this.later();
    this.listeners = [
      connection.onReady(later),
      connection.onChanged(later),
      vscode.workspace.onDidSaveTextDocument(later),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration('inkwright.goals')) return;
        this.check();
        // The writer looks at what they have just set.
        this.later(0);
      }),
    ];
    this.check();
  }

  /** Shows the page of the book that `uri` is in. */
  async show(uri: string): Promise<void> {
    this.uri = uri;
    const html = await this.draw();
    if (!this.panel) {
      const where = { viewColumn: vscode.ViewColumn.Active };
      const allowed = { enableCommandUris: GOAL_COMMANDS };
      this.panel = vscode.window.createWebviewPanel('inkwright.goals', vscode.l10n.t('Writing Progress'), where, allowed);
      this.panel.onDidDispose(() => (this.panel = undefined));
      this.panel.onDidChangeViewState(() => this.later());
    }
    this.fill(html);
    this.panel.reveal();
  }

  dispose(): void {
    clearTimeout(this.due);
    this.panel?.dispose();
    for (const one of this.listeners) one.dispose();
  }

  /** A goal that is no number counts as none, which is said once. */
  private check(): void {
    const { wrong } = settings.goals();
    const fresh = wrong.filter((key) => !this.wrong.includes(key));
    this.wrong = wrong;
    if (!fresh.length) return;
    const told = vscode.l10n.t('The setting {0} must be a number from 0 on; it counts as no goal.', fresh.join(', '));
    void vscode.window.showWarningMessage(`Inkwright: ${told}`);
  }

  private later(pause = PAUSE): void {
    clearTimeout(this.due);
    if (!this.panel?.visible || !this.connection.running) return;
    this.due = setTimeout(() => {
      // What cannot be asked now is asked at the next reason; the page stays as it was.
      this.draw().then(
        (html) => this.fill(html),
        () => undefined,
      );
    }, pause);
  }

  /** A page that says the same is left alone: it would blink. */
  private fill(html: string): void {
    if (this.panel && this.panel.webview.html !== html) this.panel.webview.html = html;
  }

  private async draw(): Promise<string> {
    const argument = { uri: this.uri, brief: true, days: DAYS };
    const { root, rule, history = [], book, today } = await this.connection.execute<Stats>('inkwright.stats', argument);
    const known = history.map(({ day, counts }) => ({ day, count: Math.max(0, counts[rule]) }));
    const days = filled(known, localDay(new Date()), DAYS);
    const { daily, session } = settings.goals();
    const number = (count: number): string => count.toLocaleString(vscode.env.language);
    const against = (count: number, goal: number): string => {
      const written = number(Math.max(0, count));
      return goal > 0 ? `${written} / ${number(goal)}` : written;
    };
    const texts = {
      language: vscode.env.language,
      title: vscode.l10n.t('Writing Progress'),
      facts: [
        [vscode.l10n.t('Today'), against(today[rule], daily)],
        [vscode.l10n.t('This session'), against(this.sitting.gained(root, today[rule]), session)],
        [vscode.l10n.t('Book'), number(book[rule])],
        [vscode.l10n.t('Days in a row'), number(inARow(days))],
      ] as [string, string][],
      described: vscode.l10n.t('Written on each of the last {0} days', DAYS),
      goal: vscode.l10n.t('Goal of the day'),
      day: vscode.l10n.t('Day'),
      count: vscode.l10n.t('Count'),
      reached: vscode.l10n.t('goal reached'),
      empty: vscode.l10n.t('Nothing was written in these days yet.'),
      acts: goalActs(),
    };
    return page(days, daily, texts, this.nonce);
  }
}

/** The two goals, each with the command that sets it. */
export function goalActs(): { label: string; command: string }[] {
  const [day, sitting] = GOAL_COMMANDS;
  return [
    { label: vscode.l10n.t('Set the daily goal…'), command: day },
    { label: vscode.l10n.t('Set the session goal…'), command: sitting },
  ];
}

/** Asks for a goal and writes it where it is set now, else into the writer's own settings. */
export async function setGoal(kind: 'daily' | 'session'): Promise<void> {
  const given = await vscode.window.showInputBox({
    title: vscode.l10n.t('Writing Progress'),
    prompt:
      kind === 'daily'
        ? vscode.l10n.t('How much do you want to write in a day? 0 is no goal.')
        : vscode.l10n.t('How much do you want to write in this session? 0 is no goal.'),
    value: String(settings.goals()[kind]),
    validateInput: (text) => (/^\d{1,9}$/.test(text.trim()) ? undefined : vscode.l10n.t('A whole number, such as 500.')),
  });
  if (given === undefined) return;
  const section = vscode.workspace.getConfiguration(SECTION);
  const key = `goals.${kind}`;
  const own = section.inspect(key)?.workspaceValue !== undefined;
  await section.update(key, Number(given.trim()), own ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global);
}

/** The day as the server counts it: by the clock of this machine. */
function localDay(now: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
