/** Runs of an ability: asked for, shown while they work, cancelled, and told about when they end. */

import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { ProgressType, WorkDoneProgress } from 'vscode-languageclient/node';
import type { Answers } from './answers';
import type { Connection } from './client';
import type { Live } from './live';
import type { Ask, Profile, RunResult, StreamValue } from './protocol';
import type { Review } from './review';
import * as settings from './settings';

const STREAM = new ProgressType<StreamValue>();

interface Active {
  requestId: string;
  title: string;
}

export class Runs implements vscode.Disposable {
  private readonly active = new Map<string, Active>();
  private profiles: Profile[] = [];

  constructor(
    private readonly connection: Connection,
    private readonly live: Live,
    private readonly review: Review,
    private readonly answers: Answers,
  ) {}

  /** The runs that are under way. */
  get ids(): readonly string[] {
    return [...this.active.keys()];
  }

  /** The abilities, asked for once per start of the server. */
  async abilities(): Promise<Profile[]> {
    if (!this.profiles.length) {
      this.profiles = await this.connection.execute<Profile[]>('inkwright.listProfiles', {});
    }
    return this.profiles.filter((profile) => profile.kind === 'ability');
  }

  /** The server is another one: what was known of it counts no more. */
  forget(): void {
    this.profiles = [];
  }

  /** Runs an ability to its end and shows what came of it. Undefined when it could not be asked for. */
  async run(ask: Ask): Promise<RunResult | undefined> {
    const requestId = randomUUID();
    const streamToken = `inkwright-stream-${requestId}`;
    const workDoneToken = `inkwright-run-${requestId}`;
    const profile = (await this.abilities().catch(() => [])).find((one) => one.id === ask.ability);
    const title = profile?.label ?? ask.ability;
    const client = this.connection.raw;
    this.live.begin(`${title} · ${vscode.Uri.parse(ask.uri).path.split('/').pop() ?? ''}`, settings.liveText());
    const listeners = [
      client.onProgress(STREAM, streamToken, (value) => this.live.event(value)),
      // What it shows is the progress middleware's business; the token must only be known.
      client.onProgress(WorkDoneProgress.type, workDoneToken, () => undefined),
    ];
    this.active.set(requestId, { requestId, title });
    this.mark();
    try {
      const result = await this.connection.execute<RunResult>(
        'inkwright.runAbility',
        { ...ask, streamToken, requestId },
        workDoneToken,
      );
      this.tell(ask, result, title, profile).catch(complain);
      return result;
    } catch (error) {
      complain(error);
      return undefined;
    } finally {
      for (const listener of listeners) listener.dispose();
      this.active.delete(requestId);
      this.mark();
    }
  }

  /** Cancels one run; with several under way the writer is asked which. */
  async cancel(): Promise<void> {
    const all = [...this.active.values()];
    const chosen =
      all.length > 1
        ? await vscode.window.showQuickPick(
            all.map((run) => ({ label: run.title, description: run.requestId, run })),
            { placeHolder: vscode.l10n.t('Which run is to be cancelled?') },
          )
        : all[0] && { run: all[0] };
    if (!chosen) return;
    await this.connection.execute('inkwright.cancelRun', { requestId: chosen.run.requestId });
  }

  dispose(): void {
    this.active.clear();
  }

  private mark(): void {
    void vscode.commands.executeCommand('setContext', 'inkwright.running', this.active.size > 0);
  }

  private async tell(ask: Ask, result: RunResult, title: string, profile: Profile | undefined): Promise<void> {
    if (result.proposal) await this.review.changed(vscode.Uri.parse(ask.uri));
    switch (result.status) {
      case 'cancelled':
        vscode.window.setStatusBarMessage(vscode.l10n.t('{0}: cancelled. The text is unchanged.', title), 10_000);
        return;
      case 'failed': {
        const why = result.error?.message ?? result.stopReason;
        const log = vscode.l10n.t('Show the Log');
        if ((await vscode.window.showErrorMessage(`${title}: ${why}`, log)) === log) this.connection.showLog();
        return;
      }
      case 'partial': {
        const why = result.error?.message ?? result.stopReason;
        void vscode.window.showWarningMessage(vscode.l10n.t('{0} ended early: {1}', title, why));
        break;
      }
      case 'completed':
        break;
    }
    if (result.proposal) {
      await this.propose(ask, result.proposal.hunks.length, title);
    } else if (profile?.output === 'edit') {
      void vscode.window.showInformationMessage(vscode.l10n.t('{0}: nothing to change.', title));
    } else if (result.text) {
      await this.answers.show(title, result.requestId, result.text);
    }
  }

  private async propose(ask: Ask, count: number, title: string): Promise<void> {
    const uri = vscode.Uri.parse(ask.uri);
    if (settings.openReview()) {
      await this.review.open(uri);
      return;
    }
    const review = vscode.l10n.t('Review');
    const told = vscode.l10n.t('{0}: {1} changes wait for you.', title, count);
    if ((await vscode.window.showInformationMessage(told, review)) === review) await this.review.open(uri);
  }
}

function complain(error: unknown): void {
  void vscode.window.showErrorMessage(`Inkwright: ${error instanceof Error ? error.message : String(error)}`);
}
