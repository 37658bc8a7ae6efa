/** The palette's commands. Their ids are the client's own: the server's are registered by its commands. */

import * as vscode from 'vscode';
import { createAbility, type Last, listAbilities, needsSelection, pickMessage } from './abilities';
import { type Answers, read } from './answers';
import { type Boxes, inTurn } from './boxes';
import { type Candidates, cardTypes } from './candidates';
import { type Connection, NoServer } from './client';
import type { Focus } from './focus';
import { type Goals, setGoal } from './goals';
import { Intended } from './intended';
import type { Keys } from './keys';
import type { Row } from './list';
import type { Live } from './live';
import type { Memories } from './memories';
import type { Choice } from './offers';
import type { Outcome } from './outcome';
import { PANEL } from './panel';
import { Past } from './past';
import * as places from './places';
import { pickFolder, PROPOSAL_SCHEME, sourceOf } from './places';
import { type Ask, type Book, type Profile, SECTION, type Stats } from './protocol';
import type { Review } from './review';
import type { Runs } from './runs';
import { unlinked, why } from './said';
import type { Sample } from './sample';
import { Search } from './search';
import { Setup } from './setup';
import type { Steps } from './steps';
import { notRunning } from './trouble';

/** What the commands are made of. */
export interface Parts {
  connection: Connection;
  runs: Runs;
  review: Review;
  live: Live;
  last: Last;
  answers: Answers;
  outcome: Outcome;
  candidates: Candidates;
  memories: Memories;
  keys: Keys;
  focus: Focus;
  goals: Goals;
  sample: Sample;
  steps: Steps;
}

export class Commands {
  readonly past: Past;
  private readonly search: Search;
  private readonly setup: Setup;
  private readonly intended: Intended;
  private turn: Promise<void> = Promise.resolve();

  constructor(private readonly parts: Parts) {
    const { connection, runs, answers, memories, keys } = parts;
    this.setup = new Setup(connection, keys);
    this.intended = new Intended(connection);
    this.past = new Past(connection, runs, answers, (argument) => this.openContext(argument));
    this.search = new Search(connection, (uri, boxes) => memories.open(uri, boxes));
  }

  register(): vscode.Disposable {
    const table: Record<string, (...args: never[]) => unknown> = {
      polish: () => this.polish(),
      run: () => this.choose(),
      again: () => this.again(),
      newAbility: () => this.withBook((uri) => createAbility(this.parts.connection, uri)),
      pipeline: () => this.withDocument((uri) => this.parts.runs.pipeline({ uri })),
      follow: () => this.past.follow(vscode.window.activeTextEditor?.document.uri, places.document()),
      cancel: () => this.parts.runs.cancel(),
      review: () => this.withEditor((editor) => this.parts.review.open(sourceOf(editor.document.uri))),
      nextHunk: () => this.inTurn(() => this.go(1)),
      previousHunk: () => this.inTurn(() => this.go(-1)),
      acceptHunk: (choice?: unknown) => this.inTurn(() => this.decide('accept', choice)),
      rejectHunk: (choice?: unknown) => this.inTurn(() => this.decide('reject', choice)),
      acceptAll: (uri?: unknown) => this.inTurn(() => this.decideAll('accept', uri)),
      rejectAll: (uri?: unknown) => this.inTurn(() => this.decideAll('reject', uri)),
      undo: () => this.inTurn(() => this.takeBack('undo')),
      redo: () => this.inTurn(() => this.takeBack('redo')),
      showContext: () => this.showContext(),
      createBook: () => inTurn((boxes) => this.createBook(boxes)),
      createChapter: () => inTurn((boxes) => this.createChapter(boxes)),
      createCard: () => inTurn((boxes) => this.createCard(boxes)),
      candidates: () => this.withBook((uri) => this.parts.candidates.open(uri)),
      memories: () => this.withBook((uri) => this.parts.memories.open(uri)),
      addMemory: () => this.withBook((uri) => this.parts.memories.add(uri)),
      intended: () => this.withBook((uri) => this.intended.open(uri)),
      search: (query?: unknown) => this.withBook((uri) => this.search.open(uri, typeof query === 'string' ? query : undefined)),
      summary: () => this.withDocument((uri) => this.parts.outcome.summary(vscode.Uri.parse(uri))),
      listRuns: async () => this.past.open((await places.book())?.toString()),
      stats: () => this.stats(),
      report: () => this.withBook((uri) => this.report(uri)),
      goals: () => this.withBook((uri) => this.parts.goals.show(uri)),
      setDailyGoal: () => setGoal('daily'),
      setSessionGoal: () => setGoal('session'),
      openSample: () => this.parts.sample.open(),
      focus: () => this.parts.focus.toggle(),
      setUpModel: () => this.setup.open(),
      setKey: () => this.parts.keys.set(),
      forgetKey: () => this.parts.keys.forget(),
      showLive: () => vscode.commands.executeCommand(`${PANEL}.focus`),
      showLog: () => this.parts.connection.showLog(),
      restart: () => this.parts.connection.start(),
      chooseServer: () => this.chooseServer(),
      openServerPath: () => openSetting('server.path'),
      walkthrough: () => this.parts.steps.open(false),
    };
    const all = Object.entries(table).map(([name, act]) =>
      vscode.commands.registerCommand(`inkwrightClient.${name}`, (...args: unknown[]) => guarded(act, args)),
    );
    return vscode.Disposable.from(...all);
  }

  private async withEditor<T>(work: (editor: vscode.TextEditor) => Promise<T>): Promise<T | undefined> {
    const editor = await places.editor(this.parts.connection);
    if (editor) return work(editor);
    void vscode.window.showInformationMessage(vscode.l10n.t('Open a chapter first.'));
    return undefined;
  }

  private async withDocument(work: (uri: string) => Promise<unknown>): Promise<void> {
    const uri = places.document();
    if (uri) await work(uri.toString());
    else await this.withEditor((editor) => work(sourceOf(editor.document.uri).toString()));
  }

  private async withBook(work: (uri: string) => Promise<unknown>): Promise<void> {
    const uri = await places.book();
    if (uri) await work(uri.toString());
    else void vscode.window.showInformationMessage(vscode.l10n.t('Open a chapter first.'));
  }

  /** The selection of the editor, or the whole document; for a text to insert the cursor will do. In a review it is about the chapter. */
  private async ask(editor: vscode.TextEditor, ability: string, message?: string, output?: Profile['output']): Promise<Ask> {
    const { document, selection } = editor;
    const whole = selection.isEmpty && output !== 'insert';
    const where = whole ? undefined : await this.parts.review.inChapter(editor);
    return {
      ability,
      uri: sourceOf(document.uri).toString(),
      ...(where ? { range: this.parts.connection.raw.code2ProtocolConverter.asRange(where) } : {}),
      ...(message ? { message } : {}),
    };
  }

  private async polish(): Promise<void> {
    const result = await this.withEditor(async (editor) => this.parts.runs.run(await this.ask(editor, 'polish')));
    if (result?.proposal) this.parts.steps.mark('polish');
  }

  private async choose(): Promise<void> {
    await this.withEditor((editor) =>
      listAbilities(
        vscode.l10n.t('What is to be done?'),
        () => this.parts.runs.abilities(sourceOf(editor.document.uri).toString()),
        (profile, boxes) => this.runOne(editor, profile, boxes),
        async (profile) => this.openContext(await this.ask(editor, profile.id, undefined, profile.output)),
        [],
        this.parts.last,
      ),
    );
  }

  /** The ability that was taken last, without a question; one that is gone is said to be. */
  private async again(): Promise<void> {
    await this.withEditor(async (editor) => {
      const last = this.parts.last.among(await this.parts.runs.abilities(sourceOf(editor.document.uri).toString()));
      if (last && !(needsSelection(last) && editor.selection.isEmpty)) {
        await this.parts.runs.run(await this.ask(editor, last.id, undefined, last.output));
      } else {
        await this.choose();
      }
    });
  }

  private async runOne(editor: vscode.TextEditor, profile: Profile, boxes: Boxes): Promise<void> {
    if (needsSelection(profile) && editor.selection.isEmpty) {
      const told = vscode.l10n.t('{0}: select a passage first.', unlinked(profile.label));
      void vscode.window.showInformationMessage(told);
      return;
    }
    const message = await pickMessage(profile, boxes);
    boxes.close();
    if (message !== undefined) await this.parts.runs.run(await this.ask(editor, profile.id, message, profile.output));
  }

  /** Keys come faster than answers: each finds the cursor where the one before has put it. */
  private inTurn(work: () => Promise<void>): Promise<void> {
    const mine = this.turn.catch(() => undefined).then(work);
    this.turn = mine;
    return mine;
  }

  private async decide(how: 'accept' | 'reject', given: unknown): Promise<void> {
    // Decided is what the writer looks at: nothing is opened for it.
    const editor = vscode.window.activeTextEditor;
    const found = isChoice(given) ? undefined : editor && (await this.parts.review.choiceAt(editor));
    const choice = isChoice(given) ? given : found;
    if (!choice) {
      void vscode.window.showInformationMessage(vscode.l10n.t('No change waits at this place.'));
      return;
    }
    await (how === 'accept' ? this.parts.review.accept(choice) : this.parts.review.reject(choice));
    // By keyboard one goes from change to change.
    if (found && editor && vscode.window.activeTextEditor === editor) await this.parts.review.go(editor, 1, found.start);
  }

  private async go(step: 1 | -1): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const found = editor && (await this.parts.review.go(editor, step));
    if (!found) void vscode.window.showInformationMessage(vscode.l10n.t('No change waits in this document.'));
  }

  private async decideAll(how: 'accept' | 'reject', given: unknown): Promise<void> {
    const front = given instanceof vscode.Uri ? given : vscode.window.activeTextEditor?.document.uri;
    if (front) await this.parts.review.all(sourceOf(front), how);
    else void vscode.window.showInformationMessage(vscode.l10n.t('Open a chapter first.'));
  }

  /** In the review it is the chapter's change that is taken back; anywhere else it is the editor's own key. */
  private async takeBack(how: 'undo' | 'redo'): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.uri.scheme === PROPOSAL_SCHEME) await this.parts.review.takeBack(how, editor);
    else await vscode.commands.executeCommand(how);
  }

  private async showContext(): Promise<void> {
    await this.withEditor(async (editor) => {
      const uri = sourceOf(editor.document.uri).toString();
      const label = vscode.l10n.t('Pipeline');
      const pipeline: Row = {
        item: { label, detail: vscode.l10n.t("The pipeline of the book's own kind.") },
        enter: { label, icon: 'eye', run: () => this.openContext({ uri, pipeline: '' }) },
      };
      await listAbilities(
        vscode.l10n.t('What would the model see? Take an ability:'),
        () => this.parts.runs.abilities(uri),
        async (profile, boxes) => {
          boxes.close();
          await this.openContext(await this.ask(editor, profile.id, undefined, profile.output));
        },
        undefined,
        [pipeline],
      );
    });
  }

  async openContext(argument: object): Promise<void> {
    const { uri } = await this.parts.connection.execute<{ uri: string }>('inkwright.showContext', argument);
    await read(vscode.Uri.parse(uri));
  }

  /** The page is shown as it reads, with its picture; the text is one click away. */
  private async report(uri: string): Promise<void> {
    const page = await this.parts.connection.execute<{ uri: string }>('inkwright.report', { uri });
    await read(vscode.Uri.parse(page.uri));
  }

  private async createBook(boxes: Boxes): Promise<void> {
    const folder = await this.folder(boxes);
    if (!folder) return;
    const title = await boxes.input({ prompt: vscode.l10n.t("The book's title"), value: folder.name });
    if (title === undefined) return;
    const uri = folder.uri.toString();
    const kind = await boxes.pick(this.bookTypes(`${uri}/`), {
      placeHolder: vscode.l10n.t('What kind of book is it?'),
    });
    boxes.close();
    if (!kind) return;
    await this.parts.connection.execute('inkwright.createBook', { uri, title, type: kind.type });
    const { chapters } = await this.parts.connection.execute<Book>('inkwright.getBook', { uri: `${uri}/` });
    const write = vscode.l10n.t('New Chapter…');
    const told = vscode.l10n.t('{0} is a book now.', unlinked(title));
    const chosen = await vscode.window.showInformationMessage(told, ...(chapters.length ? [] : [write]));
    if (chosen === write) await this.createChapter(boxes, `${uri}/`);
  }

  private async bookTypes(uri: string): Promise<(vscode.QuickPickItem & { type: string })[]> {
    const profiles = await this.parts.connection.execute<Profile[]>('inkwright.listProfiles', { uri });
    return profiles
      .filter(({ kind }) => kind === 'domain')
      .map(({ id, label, description, pipeline }) => ({
        label: unlinked(label),
        description: pipeline ? vscode.l10n.t('with a pipeline') : '',
        detail: unlinked(description),
        type: id,
      }));
  }

  /** In the book of what is in front, else in that of a folder; the title is asked for with the next number. */
  private async createChapter(boxes: Boxes, given?: string): Promise<void> {
    const uri = given ?? places.document()?.toString() ?? (await this.folder(boxes))?.uri.toString().concat('/');
    if (!uri) return;
    const { next } = await this.parts.connection.execute<Book>('inkwright.getBook', { uri });
    const title = await boxes.input({
      title: vscode.l10n.t('New Chapter'),
      prompt: vscode.l10n.t("The chapter's title. Its file is called after it."),
      value: next,
      valueSelection: [next.length, next.length],
      validateInput: (text) => (text.trim() ? undefined : vscode.l10n.t('It needs a title.')),
    });
    if (title === undefined) return;
    const made = await this.parts.connection.execute<{ uri: string }>('inkwright.createChapter', { uri, title });
    await atEnd(vscode.Uri.parse(made.uri));
  }

  private async createCard(boxes: Boxes): Promise<void> {
    const folder = places.document() ?? (await this.folder(boxes))?.uri;
    if (!folder) return;
    const name = await boxes.input({ prompt: vscode.l10n.t("The card's name") });
    if (!name) return;
    const kind = await boxes.pick(cardTypes(), { placeHolder: vscode.l10n.t('What is the card about?') });
    if (!kind) return;
    const argument = { uri: folder.toString(), name, type: kind.type };
    const { uri } = await this.parts.connection.execute<{ uri: string }>('inkwright.createCard', argument);
    await atEnd(vscode.Uri.parse(uri));
  }

  /** A folder of the workspace; without one the writer is told, and can open one. */
  private async folder(boxes: Boxes): Promise<vscode.WorkspaceFolder | undefined> {
    if (vscode.workspace.workspaceFolders?.length) return pickFolder(boxes);
    const open = vscode.l10n.t('Open Folder…');
    const told = vscode.l10n.t('Open the folder that your chapters are in.');
    if ((await vscode.window.showInformationMessage(told, open)) === open) {
      await vscode.commands.executeCommand('vscode.openFolder');
    }
    return undefined;
  }

  private async stats(): Promise<void> {
    await this.withEditor(async (editor) => {
      const uri = sourceOf(editor.document.uri).toString();
      const found = await this.parts.connection.execute<Stats>('inkwright.stats', { uri });
      await this.parts.answers.preview(vscode.l10n.t('Word Counts'), 'stats', table(found), uri);
    });
  }

  private async chooseServer(): Promise<void> {
    const chosen = await vscode.window.showOpenDialog({ openLabel: vscode.l10n.t('Use this program') });
    if (!chosen?.[0]) return;
    const section = vscode.workspace.getConfiguration('inkwright');
    await section.update('server.path', chosen[0].fsPath, vscode.ConfigurationTarget.Global);
  }
}

/** Opens a setting of ours where it is set: each kind of settings has a page of its own. */
async function openSetting(key: string): Promise<void> {
  const found = vscode.workspace.getConfiguration(SECTION).inspect(key);
  const own = found?.workspaceFolderValue ?? found?.workspaceValue;
  // What is about the machine of the program stands on that machine's page.
  const kind = own !== undefined ? 'Workspace' : vscode.env.remoteName ? 'Remote' : '';
  await vscode.commands.executeCommand(`workbench.action.open${kind}Settings`, { query: `${SECTION}.${key}` });
}

/** Opens a file that was just made, with the cursor where one writes on. */
async function atEnd(uri: vscode.Uri): Promise<void> {
  const editor = await vscode.window.showTextDocument(uri);
  const { end } = editor.document.lineAt(editor.document.lineCount - 1).range;
  editor.selection = new vscode.Selection(end, end);
  editor.revealRange(editor.selection);
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
    if (error instanceof NoServer) void notRunning(error.message);
    else void vscode.window.showErrorMessage(`Inkwright: ${why(error)}`);
    return undefined;
  }
}
