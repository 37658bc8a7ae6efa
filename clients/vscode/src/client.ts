/** The connection to the server: started, started again, asked. */

import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type {
  LanguageClient,
  LanguageClientOptions,
  ProgressToken,
  TextDocumentFilter,
} from 'vscode-languageclient/node';
import { Crashes } from './crashes';
import { isCut } from './cut';
import type { Focus } from './focus';
import { texts } from './foreign';
import { Between, type Intercept } from './middleware';
import { Progress, type Watcher } from './progress';
import { BOOK_CHANGED, CHANGES, type Command, type Elsewhere, MODELS_CHANGED, SECTION, type StreamValue } from './protocol';
import { find, type Missing } from './server';
import * as settings from './settings';
import { fit } from './versions';

/** Read when the first server is started: it is most of what the extension weighs. */
type Library = typeof import('./languageClient.js');

/** How the server stands. `missing`: no program; `wrong`: the setting names none; `stopped`: it did not start, or ended too often. */
export type State = 'starting' | 'ready' | 'missing' | 'wrong' | 'stopped';

/** A server that is being started, or was. */
interface Life {
  begun: boolean;
  /** What is to be done if it ends before it has begun. */
  ended?: () => void;
}

/** Something needs the server, and there is none. */
export class NoServer extends Error {}

/** The server ended by itself while it was being started. */
class EarlyEnd extends Error {}

/** What is told when something is wrong with the server. */
export interface Tell {
  missing(found: Missing): void;
  /** It could not be started. */
  failed(): void;
  /** It ended by itself again and again. */
  crashed(): void;
  /** It is not of the version that the extension is made for. */
  misfit(how: 'older' | 'newer' | 'unknown', server: string, program: string): void;
}

export class Connection implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private library: Library | undefined;
  /** What named the program when a server was started last. */
  private named: string | undefined;
  private again: vscode.Disposable | undefined;
  private going: Promise<unknown> = Promise.resolve();
  private now: State = 'starting';
  private readonly changed = new vscode.EventEmitter<boolean>();
  private readonly book = new vscode.EventEmitter<Command>();
  private readonly models = new vscode.EventEmitter<undefined>();
  private readonly elsewhere = new vscode.EventEmitter<Elsewhere>();
  private readonly decided = new vscode.EventEmitter<undefined>();
  private readonly progress = new Progress((token) => this.cancelProgress(token));
  private readonly log = vscode.window.createOutputChannel('Inkwright', { log: true });
  private readonly crashes = new Crashes();
  private readonly between: Between;
  private readonly listening: vscode.Disposable;

  /** What the setting names although it is no program. */
  wrong = '';

  /** Fired with true when the server has started, with false when it is gone. */
  readonly onReady = this.changed.event;

  /** Fired when a command has changed what the server keeps of a book. */
  readonly onChanged = this.book.event;

  /** Fired when the server has other models than before, or uses another one. */
  readonly onModels = this.models.event;

  /** Fired when another window, another editor or the command line has changed what is kept of a book. */
  readonly onElsewhere = this.elsewhere.event;

  /** Fired when the writer has accepted or rejected something. */
  readonly onDecided = this.decided.event;

  constructor(
    private readonly version: string,
    intercept: Intercept,
    rests: (document: vscode.Uri) => boolean,
    focus: Focus,
    private readonly tell: Tell,
  ) {
    this.between = new Between(intercept, rests, focus, this.progress);
    this.listening = focus.onChanged(() => this.between.refresh(this.client));
  }

  /** Whether the server is down for good, until it is started by hand. */
  get down(): boolean {
    return this.now === 'stopped';
  }

  get running(): boolean {
    return this.client !== undefined && this.client.state === this.library?.State.Running;
  }

  /** Starts the server, or starts it anew, one at a time. What goes wrong is told, never thrown. */
  start(): Promise<void> {
    this.crashes.forget();
    return this.queue();
  }

  /** Starts it anew if another program is named by now: trust, for which it is started anew too, may bring another one. */
  reconsider(): void {
    void this.queue(() => settings.serverPath() !== this.named);
  }

  /** Once a server that is being started is there, or is known not to be. */
  async settled(): Promise<void> {
    await this.going;
  }

  /** Runs a command of the server's. Throws what the server answers, or that there is no server. */
  async execute<T>(command: Command, argument: object, workDoneToken?: ProgressToken): Promise<T> {
    await this.going;
    const client = this.raw;
    const params = { command, arguments: [argument], ...(workDoneToken ? { workDoneToken } : {}) };
    const answer = await client.sendRequest<T>('workspace/executeCommand', params).catch((error: unknown) => {
      // What the library says of it is no writer's language.
      throw client.state === this.lib.State.Running && !isCut(error) ? error : new Error(vscode.l10n.t('The Inkwright server ended before it answered.'));
    });
    if (CHANGES.has(command)) this.book.fire(command);
    if (command === 'inkwright.acceptProposal' || command === 'inkwright.rejectProposal') this.decided.fire(undefined);
    return answer;
  }

  /** The language client of the running server. Throws when there is none. */
  get raw(): LanguageClient {
    if (!this.client || !this.running) {
      throw new NoServer(vscode.l10n.t('The server is not running.'));
    }
    return this.client;
  }

  /** Hears what comes under a stream's token. Throws when there is no server. */
  onStream(token: ProgressToken, listener: (value: StreamValue) => void): vscode.Disposable {
    const client = this.raw;
    return client.onProgress(new this.lib.ProgressType<StreamValue>(), token, listener);
  }

  /** Makes the token of a work-done progress known; to show it is the middleware's business. */
  onWork(token: ProgressToken, watcher: Watcher): vscode.Disposable {
    const known = this.raw.onProgress(this.lib.WorkDoneProgress.type, token, () => undefined);
    return vscode.Disposable.from(known, this.progress.watch(token, watcher));
  }

  /** Works without a trace of what is said meanwhile. Throws when there is no server. */
  async quietly(work: () => Promise<unknown>): Promise<void> {
    const client = this.raw;
    const { Trace } = this.lib;
    const wanted = vscode.workspace.getConfiguration(SECTION).get<string>('trace.server', 'off');
    await client.setTrace(Trace.Off);
    try {
      await work();
    } finally {
      await client.setTrace(Trace.fromString(wanted));
    }
  }

  /** The editor asks the server for its lenses anew. */
  refreshLenses(): void {
    const feature = this.client?.getFeature('textDocument/codeLens');
    for (const document of vscode.workspace.textDocuments) {
      feature?.getProvider(document)?.onDidChangeCodeLensEmitter.fire();
    }
  }

  showLog(): void {
    this.log.show();
  }

  dispose(): void {
    this.progress.clear();
    this.again?.dispose();
    this.listening.dispose();
    void this.stop();
    this.changed.dispose();
    this.book.dispose();
    this.models.dispose();
    this.elsewhere.dispose();
    this.decided.dispose();
    this.log.dispose();
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.progress.clear();
    if (client && client.state !== this.lib.State.Stopped) await client.dispose(5000).catch(() => undefined);
  }

  private get lib(): Library {
    if (!this.library) throw new Error('the language client was not read yet');
    return this.library;
  }

  private queue(wanted = () => true): Promise<void> {
    const next = this.going.then(() => (wanted() ? this.restart() : undefined)).catch((error: unknown) => this.failed(error));
    this.going = next;
    return next;
  }

  private async restart(): Promise<void> {
    await this.stop();
    this.state('starting');
    const folders = (vscode.workspace.workspaceFolders ?? [])
      .filter((folder) => folder.uri.scheme === 'file')
      .map((folder) => folder.uri.fsPath);
    this.named = settings.serverPath();
    this.wrong = '';
    const found = await find({
      setting: this.named,
      trusted: vscode.workspace.isTrusted ? folders : [],
      home: homedir(),
      environment: process.env,
      windows: process.platform === 'win32',
    });
    if (found.program === undefined) {
      this.log.warn(`inkwright was not found: ${found.tried || (process.env.PATH ?? '')}`);
      this.wrong = found.tried;
      this.state(found.tried ? 'wrong' : 'missing');
      this.tell.missing(found);
      return;
    }
    this.log.info(`${found.program} lsp (${found.by})`);
    this.library ??= await import('./languageClient.js');
    const { Client, State } = this.library;
    const life: Life = { begun: false };
    const client = new Client(
      SECTION,
      'Inkwright',
      { command: found.program, args: ['lsp'], options: { env: { ...process.env } } },
      this.options(await texts(), life),
    );
    client.onNotification(MODELS_CHANGED, () => this.models.fire(undefined));
    client.onNotification(BOOK_CHANGED, (what: Elsewhere) => this.elsewhere.fire(what));
    client.onDidChangeState(({ newState }) => {
      if (newState !== State.Running) this.progress.clear();
      if (this.client === client && newState === State.Running) this.state('ready');
      else if (this.client === client) this.changed.fire(false);
    });
    this.client = client;
    try {
      await Promise.race([
        client.start(),
        new Promise<never>((_, reject) => {
          life.ended = () => reject(new EarlyEnd('the server ended while it was starting'));
        }),
      ]);
      if (client.state !== State.Running) throw new EarlyEnd('the server ended when it had just started');
    } catch (error) {
      // Taken down meanwhile.
      if (this.client !== client) return;
      if (!(error instanceof EarlyEnd || isCut(error)) || !this.crashes.again(Date.now())) throw error;
      this.log.warn(error instanceof EarlyEnd ? error.message : 'the server ended before it was asked');
      this.sayAgain();
      return this.restart();
    }
    life.begun = true;
    const version = client.initializeResult?.serverInfo?.version;
    const how = fit(version, this.version);
    this.log.info(`server ${version ?? '?'}, extension ${this.version}: ${how}`);
    if (how !== 'fits') this.tell.misfit(how, version ?? '?', found.program);
  }

  /** Tells the views and whoever listens. */
  private state(state: State): void {
    this.now = state;
    if (state !== 'starting') this.again?.dispose();
    void vscode.commands.executeCommand('setContext', 'inkwright.server', state);
    this.changed.fire(state === 'ready');
  }

  private failed(error: unknown): void {
    this.log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    this.state('stopped');
    this.tell.failed();
  }

  /** The server ended by itself: it is started again, but not for ever. */
  private closed(life: Life): { action: number; handled: boolean; message: string } {
    const { CloseAction } = this.lib;
    const stay = (message: string): ReturnType<Connection['closed']> => ({
      action: CloseAction.DoNotRestart,
      handled: true,
      message,
    });
    // The start itself goes on with it.
    if (!life.begun) {
      life.ended?.();
      return stay('the server did not start');
    }
    if (this.crashes.again(Date.now())) {
      this.sayAgain();
      // Once the client that ended has put its things away.
      setTimeout(() => void this.queue());
      return stay('the server ended and is started again');
    }
    this.state('stopped');
    this.tell.crashed();
    return stay('the server ended too often');
  }

  /** Until it is there, or is known not to come. */
  private sayAgain(): void {
    this.again?.dispose();
    this.again = vscode.window.setStatusBarMessage(vscode.l10n.t('Inkwright: the server ended and is started again.'));
  }

  private options(foreign: TextDocumentFilter[], life: Life): LanguageClientOptions {
    return {
      documentSelector: [
        { scheme: 'file', language: 'markdown' },
        { scheme: 'untitled', language: 'markdown' },
        { scheme: 'file', pattern: '**/book.toml' },
        ...foreign,
      ],
      outputChannel: this.log,
      initializationOptions: { trusted: vscode.workspace.isTrusted, bookChanged: true },
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: this.lib.ErrorAction.Continue, handled: true }),
        closed: () => this.closed(life),
      },
      // One that is on its way gets the settings when it asks.
      middleware: this.between.middleware(() => (this.running ? this.client : undefined)),
      markdown: { supportHtml: false },
    };
  }

  private cancelProgress(token: ProgressToken): void {
    void this.client?.sendNotification('window/workDoneProgress/cancel', { token });
  }
}
