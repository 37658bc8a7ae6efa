/** Runs of an ability or a pipeline: asked for, shown while they work, and cancelled. */

import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Last } from './abilities';
import type { Connection } from './client';
import type { Live } from './live';
import type { Next, Outcome } from './outcome';
import { nameOf } from './places';
import type { Ask, Command, PipelineAsk, Profile, RunResult } from './protocol';
import { unlinked, why } from './said';
import * as settings from './settings';

export interface Active {
  requestId: string;
  title: string;
  /** The name of the document that it is about. */
  file: string;
}

export class Runs implements vscode.Disposable, Next {
  private readonly active = new Map<string, Active>();
  private readonly changed = new vscode.EventEmitter<undefined>();

  /** Fired when a run begins and when it has ended. */
  readonly onChanged = this.changed.event;

  private known: Profile[] = [];

  constructor(
    private readonly connection: Connection,
    private readonly live: Live,
    private readonly outcome: Outcome,
    private readonly last: Last,
  ) {}

  /** The runs that are under way. */
  get going(): readonly Active[] {
    return [...this.active.values()];
  }

  get ids(): readonly string[] {
    return [...this.active.keys()];
  }

  /** The abilities of a document's book, asked for each time: a book can bring its own, and they change. */
  async abilities(uri: string): Promise<Profile[]> {
    this.known = await this.connection.execute<Profile[]>('inkwright.listProfiles', { uri });
    return this.known.filter((profile) => profile.kind === 'ability');
  }

  async domains(uri: string): Promise<Profile[]> {
    await this.abilities(uri);
    return this.known.filter((profile) => profile.kind === 'domain');
  }

  /** Runs an ability to its end and shows what came of it. Undefined when it could not be asked for. */
  async run(ask: Ask): Promise<RunResult | undefined> {
    const profile = await this.profile(ask);
    // A message makes links of it, and whoever wrote the profile chose it.
    const title = unlinked(profile?.label ?? ask.ability);
    const result = await this.play('inkwright.runAbility', ask, title);
    if (profile && !ask.follow) await this.last.set(profile.id);
    if (result?.pipeline) this.outcome.pipeline(ask, result, title, this).catch(complain);
    else if (result) this.outcome.ability(ask, result, title, profile).catch(complain);
    return result;
  }

  /** Runs the pipeline of the document's book, or the one that is named. */
  async pipeline(ask: PipelineAsk): Promise<RunResult | undefined> {
    const title = vscode.l10n.t('Pipeline');
    const result = await this.play('inkwright.runPipeline', ask, title);
    if (result) this.outcome.pipeline(ask, result, title, this).catch(complain);
    return result;
  }

  /** Cancels one run; with several under way the writer is asked which. */
  async cancel(): Promise<void> {
    const all = [...this.active.values()];
    const chosen =
      all.length > 1
        ? await vscode.window.showQuickPick(
            all.map((run) => ({ label: run.title, description: run.file, run })),
            { placeHolder: vscode.l10n.t('Which run is to be cancelled?') },
          )
        : all[0] && { run: all[0] };
    if (chosen) await this.stop(chosen.run.requestId);
  }

  async stop(requestId: string): Promise<void> {
    await this.connection.execute('inkwright.cancelRun', { requestId });
  }

  dispose(): void {
    this.active.clear();
    this.changed.dispose();
  }

  private mark(): void {
    void vscode.commands.executeCommand('setContext', 'inkwright.running', this.active.size > 0);
    this.changed.fire(undefined);
  }

  private async profile(ask: Ask): Promise<Profile | undefined> {
    const find = (all: readonly Profile[]): Profile | undefined =>
      all.find((one) => one.kind === 'ability' && one.id === ask.ability);
    return find(this.known) ?? find(await this.abilities(ask.uri).catch(() => []));
  }

  private async play(command: Command, ask: Ask | PipelineAsk, title: string): Promise<RunResult | undefined> {
    const requestId = randomUUID();
    const streamToken = `inkwright-stream-${requestId}`;
    const workDoneToken = `inkwright-run-${requestId}`;
    const file = nameOf(vscode.Uri.parse(ask.uri));
    const track = this.live.begin(requestId, title, file, ask, command === 'inkwright.runPipeline');
    const listeners: vscode.Disposable[] = [];
    this.active.set(requestId, { requestId, title, file });
    this.mark();
    try {
      await this.connection.settled();
      listeners.push(
        this.connection.onStream(streamToken, (value) => this.live.event(track, value)),
        this.connection.onWork(workDoneToken, {
          said: (message) => this.live.now(track, message),
          // The panel has a button to stop it; a notification would lie on top.
          elsewhere: () => settings.liveText() || this.live.sees(requestId),
        }),
      );
      const result = await this.connection.execute<RunResult>(command, { ...ask, streamToken, requestId }, workDoneToken);
      if (result.error?.code === 'no_pipeline') this.live.forget(track);
      else this.live.ended(track, result);
      return result;
    } catch (error) {
      this.live.broke(track, why(error));
      if (!this.live.sees(requestId)) complain(error);
      return undefined;
    } finally {
      for (const listener of listeners) listener.dispose();
      this.active.delete(requestId);
      this.mark();
    }
  }
}

function complain(error: unknown): void {
  void vscode.window.showErrorMessage(`Inkwright: ${why(error)}`);
}
