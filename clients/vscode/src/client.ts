/** The connection to the server: started, started again, asked. */

import * as vscode from 'vscode';
import {
  ExecuteCommandRequest,
  LanguageClient,
  type LanguageClientOptions,
  type Middleware,
  type ProgressToken,
  State,
  type TextDocumentFilter,
  WorkDoneProgressCancelNotification,
} from 'vscode-languageclient/node';
import { texts } from './foreign';
import { Progress } from './progress';
import { CHANGES, type Command, SECTION } from './protocol';
import { find, type Missing } from './server';
import * as settings from './settings';

/** Called for a command of the server's that the editor runs (a lens, a code action); undefined: not ours. */
export type Intercept = (command: string, argument: unknown) => Promise<unknown> | undefined;

export class Connection implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private going: Promise<unknown> = Promise.resolve();
  private readonly changed = new vscode.EventEmitter<boolean>();
  private readonly book = new vscode.EventEmitter<Command>();
  private readonly progress = new Progress((token) => this.cancelProgress(token));
  private readonly log = vscode.window.createOutputChannel('Inkwright', { log: true });

  /** Fired with true when the server has started, with false when it is gone. */
  readonly onReady = this.changed.event;

  /** Fired when a command has changed what the server keeps of a book. */
  readonly onChanged = this.book.event;

  constructor(
    private readonly intercept: Intercept,
    private readonly rests: (document: vscode.Uri) => boolean,
    private readonly missing: (found: Missing) => void,
  ) {}

  get running(): boolean {
    return this.client?.state === State.Running;
  }

  /** Starts the server, or starts it anew, one at a time. What goes wrong is told, never thrown. */
  start(): Promise<void> {
    const next = this.going.then(() => this.restart()).catch((error: unknown) => this.failed(error));
    this.going = next;
    return next;
  }

  /** Runs a command of the server's. Throws what the server answers, or that there is no server. */
  async execute<T>(command: Command, argument: object, workDoneToken?: ProgressToken): Promise<T> {
    await this.going;
    const client = this.raw;
    const params = { command, arguments: [argument], ...(workDoneToken ? { workDoneToken } : {}) };
    const answer = (await client.sendRequest(ExecuteCommandRequest.type, params)) as T;
    if (CHANGES.has(command)) this.book.fire(command);
    return answer;
  }

  /** The language client of the running server. Throws when there is none. */
  get raw(): LanguageClient {
    if (this.client?.state !== State.Running) {
      throw new Error(vscode.l10n.t('The Inkwright server is not running. Run "Inkwright: Restart the Server".'));
    }
    return this.client;
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
    void this.stop();
    this.changed.dispose();
    this.book.dispose();
    this.log.dispose();
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.progress.clear();
    if (client && client.state !== State.Stopped) await client.dispose(5000).catch(() => undefined);
  }

  private async restart(): Promise<void> {
    await this.stop();
    const folders = (vscode.workspace.workspaceFolders ?? [])
      .filter((folder) => folder.uri.scheme === 'file')
      .map((folder) => folder.uri.fsPath);
    const found = await find({
      setting: settings.serverPath(),
      trusted: vscode.workspace.isTrusted ? folders : [],
      environment: process.env,
      windows: process.platform === 'win32',
    });
    if (found.program === undefined) {
      this.log.warn(`inkwright was not found: ${found.tried || (process.env.PATH ?? '')}`);
      this.changed.fire(false);
      this.missing(found);
      return;
    }
    this.log.info(`${found.program} lsp (${found.by})`);
    const client = new LanguageClient(
      SECTION,
      'Inkwright',
      { command: found.program, args: ['lsp'], options: { env: { ...process.env } } },
      this.options(await texts()),
    );
    client.onDidChangeState(({ newState }) => {
      if (newState !== State.Running) this.progress.clear();
      if (this.client === client) this.changed.fire(newState === State.Running);
    });
    this.client = client;
    await client.start();
  }

  private failed(error: unknown): void {
    this.changed.fire(false);
    this.log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    const show = vscode.l10n.t('Show the Log');
    const text = vscode.l10n.t('Inkwright: the server did not start. The log says why.');
    void vscode.window.showErrorMessage(text, show).then((chosen) => {
      if (chosen === show) this.log.show();
    });
  }

  private options(foreign: TextDocumentFilter[]): LanguageClientOptions {
    return {
      documentSelector: [
        { scheme: 'file', language: 'markdown' },
        { scheme: 'untitled', language: 'markdown' },
        { scheme: 'file', pattern: '**/book.toml' },
        ...foreign,
      ],
      outputChannel: this.log,
      initializationOptions: { trusted: vscode.workspace.isTrusted },
      middleware: this.middleware(),
      markdown: { supportHtml: false },
    };
  }

  private middleware(): Middleware {
    return {
      handleWorkDoneProgress: this.progress.handle,
      provideCodeLenses: (document, token, next) => (this.rests(document.uri) ? [] : next(document, token)),
      executeCommand: (command, args: unknown[], next): unknown =>
        this.intercept(command, args[0]) ?? next(command, args),
      workspace: {
        configuration: (params): unknown[] =>
          params.items.map((item) =>
            item.section === SECTION
              ? settings.forServer(item.scopeUri ? vscode.Uri.parse(item.scopeUri) : undefined)
              : null,
          ),
        didChangeConfiguration: async () => {
          await this.client?.sendNotification('workspace/didChangeConfiguration', {
            settings: { [SECTION]: settings.forServer() },
          });
        },
      },
    };
  }

  private cancelProgress(token: ProgressToken): void {
    void this.client?.sendNotification(WorkDoneProgressCancelNotification.type, { token });
  }
}
