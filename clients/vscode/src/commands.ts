/** The palette's commands. Their ids are the client's own: the server's are registered by its commands. */

import * as vscode from 'vscode';
import type { Answers } from './answers';
import type { Connection } from './client';
import type { Live } from './live';
import type { Ask, Profile, Runs as RunList, Stats } from './protocol';
import { type Choice, type Review, sourceOf } from './review';
import type { Runs } from './runs';

export class Commands {
  constructor(
    private readonly connection: Connection,
    private readonly runs: Runs,
    private readonly review: Review,
    private readonly live: Live,
    private readonly answers: Answers,
  ) {}

  register(): vscode.Disposable {
    const table: Record<string, (...args: never[]) => unknown> = {
      polish: () => this.polish(),
      run: () => this.choose(),
      cancel: () => this.runs.cancel(),
      review: () => this.withEditor((editor) => this.review.open(sourceOf(editor.document.uri))),
      acceptHunk: (choice?: unknown) => this.decide('accept', choice),
      rejectHunk: (choice?: unknown) => this.decide('reject', choice),
      acceptAll: (uri?: unknown) => this.decideAll('accept', uri),
      rejectAll: (uri?: unknown) => this.decideAll('reject', uri),
      showContext: () => this.showContext(),
      createBook: () => this.createBook(),
      createCard: () => this.createCard(),
      listRuns: () => this.listRuns(),
      stats: () => this.stats(),
      showLive: () => this.live.show(),
      showLog: () => this.connection.showLog(),
      restart: () => this.connection.start(),
      chooseServer: () => this.chooseServer(),
      walkthrough: () =>
        vscode.commands.executeCommand('workbench.action.openWalkthrough', 'inkwright.inkwright#start', false),
    };
    const all = Object.entries(table).map(([name, act]) =>
      vscode.commands.registerCommand(`inkwrightClient.${name}`, (...args: unknown[]) => guarded(act, args)),
    );
    return vscode.Disposable.from(...all);
  }

  private async withEditor<T>(work: (editor: vscode.TextEditor) => Promise<T>): Promise<T | undefined> {
    const editor = vscode.window.activeTextEditor;
    if (editor) return work(editor);
    void vscode.window.showInformationMessage(vscode.l10n.t('Open a chapter first.'));
    return undefined;
  }

  /** The selection of the editor, or the whole document. */
  private ask(editor: vscode.TextEditor, ability: string, message?: string): Ask {
    const { document, selection } = editor;
    return {
      ability,
      uri: document.uri.toString(),
      ...(selection.isEmpty ? {} : { range: this.connection.raw.code2ProtocolConverter.asRange(selection) }),
      ...(message ? { message } : {}),
    };
  }

  private async polish(): Promise<void> {
    await this.withEditor((editor) => this.runs.run(this.ask(editor, 'polish')));
  }

  private async choose(): Promise<void> {
    await this.withEditor(async (editor) => {
      const profile = await this.pickAbility();
      if (!profile) return;
      const message = await this.pickMessage(profile);
      if (message !== undefined) await this.runs.run(this.ask(editor, profile.id, message));
    });
  }

  private async pickAbility(): Promise<Profile | undefined> {
    const items = (await this.runs.abilities()).map((profile) => ({
      label: profile.label,
      description: profile.id,
      detail: profile.description,
      profile,
    }));
    return (await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('What is to be done?') }))?.profile;
  }

  /** A quick action's message, the writer's own words, or '' for none; undefined when dismissed. */
  private async pickMessage(profile: Profile): Promise<string | undefined> {
    const own = { label: vscode.l10n.t('In your own words…'), message: undefined };
    const plain = { label: profile.label, description: vscode.l10n.t('without further words'), message: '' };
    const quick = profile.quickActions.map(({ label, message }) => ({ label, detail: message, message }));
    const chosen = await vscode.window.showQuickPick([plain, ...quick, own], { placeHolder: profile.label });
    if (!chosen) return undefined;
    return chosen.message ?? vscode.window.showInputBox({ prompt: vscode.l10n.t('What should it look to?') });
  }

  private async decide(how: 'accept' | 'reject', given: unknown): Promise<void> {
    const choice = isChoice(given) ? given : await this.withEditor((editor) => this.review.choiceAt(editor));
    if (!choice) {
      void vscode.window.showInformationMessage(vscode.l10n.t('No change waits at this place.'));
      return;
    }
    await (how === 'accept' ? this.review.accept(choice) : this.review.reject(choice));
  }

  private async decideAll(how: 'accept' | 'reject', given: unknown): Promise<void> {
    if (given instanceof vscode.Uri) {
      await this.review.all(sourceOf(given), how);
    } else {
      await this.withEditor((editor) => this.review.all(sourceOf(editor.document.uri), how));
    }
  }

  private async showContext(): Promise<void> {
    await this.withEditor(async (editor) => {
      const profile = await this.pickAbility();
      if (profile) await this.openContext(this.ask(editor, profile.id));
    });
  }

  private async openContext(argument: object): Promise<void> {
    const { uri } = await this.connection.execute<{ uri: string }>('inkwright.showContext', argument);
    await vscode.window.showTextDocument(vscode.Uri.parse(uri), { viewColumn: vscode.ViewColumn.Beside });
  }

  private async createBook(): Promise<void> {
    const folder = await pickFolder();
    if (!folder) return;
    const title = await vscode.window.showInputBox({ prompt: vscode.l10n.t("The book's title"), value: folder.name });
    if (title === undefined) return;
    const kind = await vscode.window.showQuickPick(bookTypes(), {
      placeHolder: vscode.l10n.t('What kind of book is it? A note book is for a subject that you study; it is no diary.'),
    });
    if (!kind) return;
    await this.connection.execute('inkwright.createBook', { uri: folder.uri.toString(), title, type: kind.type });
    void vscode.window.showInformationMessage(vscode.l10n.t('{0} is a book now.', title));
  }

  private async createCard(): Promise<void> {
    const folder = vscode.window.activeTextEditor?.document.uri ?? (await pickFolder())?.uri;
    if (!folder) return;
    const name = await vscode.window.showInputBox({ prompt: vscode.l10n.t("The card's name") });
    if (!name) return;
    const kind = await vscode.window.showQuickPick(cardTypes(), { placeHolder: vscode.l10n.t('What is the card about?') });
    if (!kind) return;
    const argument = { uri: sourceOf(folder).toString(), name, type: kind.type };
    const { uri } = await this.connection.execute<{ uri: string }>('inkwright.createCard', argument);
    await vscode.window.showTextDocument(vscode.Uri.parse(uri));
  }

  private async listRuns(): Promise<void> {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const argument = uri ? { uri: sourceOf(uri).toString() } : {};
    const { runs } = await this.connection.execute<RunList>('inkwright.listRuns', argument);
    const items = runs.map((run) => ({
      label: `${run.ability} · ${run.path}`,
      description: `${run.status} · ${run.model}`,
      detail: [run.createdAt, run.message].filter(Boolean).join(' · '),
      run,
    }));
    const chosen = await vscode.window.showQuickPick(items, {
      placeHolder: items.length
        ? vscode.l10n.t('Choose a run to see what the model saw.')
        : vscode.l10n.t('There are no runs yet.'),
      matchOnDescription: true,
      matchOnDetail: true,
    });
    if (chosen) await this.openContext({ requestId: chosen.run.requestId });
  }

  private async stats(): Promise<void> {
    await this.withEditor(async (editor) => {
      const uri = sourceOf(editor.document.uri).toString();
      const found = await this.connection.execute<Stats>('inkwright.stats', { uri });
      await this.answers.show(vscode.l10n.t('Word Counts'), 'stats', table(found));
    });
  }

  private async chooseServer(): Promise<void> {
    const chosen = await vscode.window.showOpenDialog({ openLabel: vscode.l10n.t('Use this program') });
    if (!chosen?.[0]) return;
    const section = vscode.workspace.getConfiguration('inkwright');
    await section.update('server.path', chosen[0].fsPath, vscode.ConfigurationTarget.Global);
  }
}

async function pickFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.length > 1 ? vscode.window.showWorkspaceFolderPick() : folders[0];
}

function bookTypes(): { label: string; type: string }[] {
  return [
    { label: vscode.l10n.t('Novel'), type: 'novel' },
    { label: vscode.l10n.t('Thesis'), type: 'thesis' },
    { label: vscode.l10n.t('Breakdown of a Book'), type: 'breakdown' },
    { label: vscode.l10n.t('Study Notes'), type: 'note' },
  ];
}

function cardTypes(): { label: string; type: string }[] {
  return [
    { label: vscode.l10n.t('Character'), type: 'character' },
    { label: vscode.l10n.t('Place'), type: 'location' },
    { label: vscode.l10n.t('Time'), type: 'timeline' },
    { label: vscode.l10n.t('Faction'), type: 'faction' },
    { label: vscode.l10n.t('Item'), type: 'item' },
    { label: vscode.l10n.t('Anything Else'), type: 'misc' },
  ];
}

/** The counts as a Markdown table, by the book's own rule. */
function table({ rule, book, today, chapters }: Stats): string {
  const row = (...cells: (string | number)[]): string => `| ${cells.join(' | ')} |`;
  return [
    `# ${vscode.l10n.t('Word Counts')}`,
    '',
    row(vscode.l10n.t('Chapter'), vscode.l10n.t('Count'), vscode.l10n.t('Today')),
    row('---', '---:', '---:'),
    ...chapters.map((one) => row(one.title.replaceAll('|', '\\|'), one.counts[rule], one.today[rule])),
    row(`**${vscode.l10n.t('Book')}**`, book[rule], today[rule]),
    '',
  ].join('\n');
}

function isChoice(value: unknown): value is Choice {
  return typeof value === 'object' && value !== null && 'proposal' in value && 'hunks' in value;
}

/** What a command throws is told once, in one line. */
async function guarded(act: (...args: never[]) => unknown, args: unknown[]): Promise<unknown> {
  try {
    return await act(...(args as never[]));
  } catch (error) {
    void vscode.window.showErrorMessage(`Inkwright: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
