/** What is said and shown when a run has ended. */

import * as vscode from 'vscode';
import { shownId } from './abilities';
import type { Answers } from './answers';
import type { Candidates } from './candidates';
import type { Connection } from './client';
import { files, nameOf, openOne } from './places';
import type { Ask, PipelineAsk, Profile, RunResult, Step, Summary } from './protocol';
import type { Review } from './review';
import { unlinked } from './said';
import * as settings from './settings';

/** Whether the writer has a run in front of them, with what came of it and what can be done. */
export type Sees = (requestId: string) => boolean;

/** What can be done next with a run that has ended. */
export interface Next {
  pipeline(ask: PipelineAsk): Promise<unknown>;
  abilities(uri: string): Promise<Profile[]>;
  domains(uri: string): Promise<Profile[]>;
}

export class Outcome {
  constructor(
    private readonly connection: Connection,
    private readonly review: Review,
    private readonly answers: Answers,
    private readonly candidates: Candidates,
    private readonly sees: Sees,
  ) {}

  async ability(ask: Ask, result: RunResult, title: string, profile: Profile | undefined): Promise<void> {
    if (result.proposal) await this.review.changed(vscode.Uri.parse(ask.uri), true);
    if (!(await this.ended(result, title))) return;
    const seen = this.sees(result.requestId);
    if (result.proposal) {
      await this.propose(ask, result.proposal.hunks.length, title, seen);
    } else if (profile?.output === 'edit' || profile?.output === 'insert') {
      // Of what a model did not come to nobody knows whether there is something.
      if (result.status === 'completed') void vscode.window.showInformationMessage(vscode.l10n.t('{0}: nothing to change.', title));
    } else if (profile?.output === 'summary') {
      await this.summary(vscode.Uri.parse(ask.uri));
    } else if (result.text && !seen) {
      await this.answers.show(title, result.requestId, result.text, ask.uri, 'run');
    }
    if (result.candidates?.length && !seen) await this.candidates.tell(ask.uri, result.candidates.length);
  }

  async pipeline(ask: PipelineAsk, result: RunResult, title: string, next: Next): Promise<void> {
    if (result.error?.code === 'no_pipeline') {
      await this.other(ask, unlinked(result.error.message), next);
      return;
    }
    // The panel shows how far it came and what can be done.
    if (this.sees(result.requestId)) return;
    if (result.text) await this.page(title, result, ask.uri);
    if (result.status !== 'completed' && result.pipeline) {
      void this.resume(ask, result, title, next);
    } else if (!(await this.ended(result, title))) {
      return;
    }
    if (result.cards?.length) void this.made(ask.uri, result.cards, title);
    if (result.candidates?.length) void this.candidates.tell(ask.uri, result.candidates.length);
  }

  /** How far each step of a pipeline came, and its text, in a document. */
  page(title: string, result: Pick<RunResult, 'requestId' | 'steps' | 'text'>, uri: string): Promise<void> {
    return this.answers.show(title, result.requestId, page(title, result), uri);
  }

  /** The chapter's summary and the author's own, in a document. */
  async summary(uri: vscode.Uri): Promise<void> {
    const found = await this.connection.execute<Summary>('inkwright.getSummary', { uri: uri.toString() });
    const { summary, synopsis } = found;
    if (!summary && !synopsis) {
      const make = vscode.l10n.t('Summarise');
      const told = vscode.l10n.t('{0} has no summary yet.', unlinked(nameOf(uri)));
      if ((await vscode.window.showInformationMessage(told, make)) === make) {
        await vscode.commands.executeCommand('inkwright.runAbility', { ability: 'summary', uri: uri.toString() });
      }
      return;
    }
    const by = summary?.model ?? vscode.l10n.t('by rules');
    const stale = summary?.stale ? ` · ${vscode.l10n.t('out of date: the chapter has changed since')}` : '';
    const text = [
      `# ${found.path}`,
      ...(summary ? [`*${by} · ${new Date(summary.madeAt).toLocaleString()}${stale}*`, summary.text] : []),
      ...(synopsis ? [`## ${vscode.l10n.t("The author's own synopsis")}`, synopsis] : []),
    ].join('\n\n');
    await this.answers.show(vscode.l10n.t('Summary'), uri.toString(), `${text}\n`, uri.toString());
  }

  /** Says what went wrong; whether there is anything to show. */
  private async ended(result: RunResult, title: string): Promise<boolean> {
    if (this.sees(result.requestId)) return result.status === 'partial' || result.status === 'completed';
    const why = unlinked(result.error?.message ?? result.stopReason);
    switch (result.status) {
      case 'cancelled':
        vscode.window.setStatusBarMessage(vscode.l10n.t('{0}: cancelled. The text is unchanged.', title), 10_000);
        return false;
      case 'failed': {
        const log = vscode.l10n.t('Show the Log');
        if ((await vscode.window.showErrorMessage(`${title}: ${why}`, log)) === log) this.connection.showLog();
        return false;
      }
      case 'partial':
        void vscode.window.showWarningMessage(vscode.l10n.t('{0} ended early: {1}', title, why));
        return true;
      case 'completed':
        return true;
    }
  }

  private async propose(ask: Ask, count: number, title: string, seen: boolean): Promise<void> {
    const uri = vscode.Uri.parse(ask.uri);
    if (settings.openReview()) {
      await this.review.open(uri);
      return;
    }
    if (seen) return;
    const review = vscode.l10n.t('Review');
    const told = vscode.l10n.t('{0}: changes that wait for you: {1}.', title, count);
    if ((await vscode.window.showInformationMessage(told, review)) === review) await this.review.open(uri);
  }

  /** A book of this kind has no pipeline of its own: another one can be taken all the same. */
  private async other(ask: PipelineAsk, why: string, next: Next): Promise<void> {
    const items = (await next.domains(ask.uri)).flatMap(({ label, description, pipeline }) =>
      pipeline ? [{ label, description: shownId({ id: pipeline, label }), detail: description, pipeline }] : [],
    );
    if (!items.length) {
      void vscode.window.showWarningMessage(why);
      return;
    }
    const title = vscode.l10n.t('Choose a Pipeline…');
    const placeHolder = vscode.l10n.t('This kind of book has none; cards wait as candidates.');
    const chosen = await vscode.window.showQuickPick(items, { title, placeHolder });
    if (chosen) await next.pipeline({ ...ask, pipeline: chosen.pipeline });
  }

  private async resume(ask: PipelineAsk, result: RunResult, title: string, next: Next): Promise<void> {
    const steps = result.steps ?? [];
    const done = steps.filter((step) => step.status === 'completed').length;
    const why = unlinked(result.error?.message ?? result.stopReason);
    const told =
      result.status === 'cancelled'
        ? vscode.l10n.t('{0}: cancelled after {1} of {2} steps. What is finished is kept.', title, done, steps.length)
        : vscode.l10n.t('{0}: finished and kept, {1} of {2} steps. {3}', title, done, steps.length, why);
    const resume = vscode.l10n.t('Resume');
    if ((await vscode.window.showWarningMessage(told, resume)) !== resume) return;
    await next.pipeline({ ...ask, resume: result.requestId });
  }

  private async made(uri: string, cards: readonly string[], title: string): Promise<void> {
    const open = vscode.l10n.t('Open…');
    const told = vscode.l10n.t('{0}: cards made: {1}.', title, cards.length);
    if ((await vscode.window.showInformationMessage(told, open)) === open) {
      await openOne(await files(this.connection, uri, cards));
    }
  }
}

/** How far each step came, and then the text of the run. */
function page(title: string, { steps = [], text }: Pick<RunResult, 'steps' | 'text'>): string {
  const byName = new Map<string, Step[]>();
  for (const step of steps) byName.set(step.name, [...(byName.get(step.name) ?? []), step]);
  const lines = [...byName].map(([name, parts]) => {
    const done = parts.filter((part) => part.status === 'completed').length;
    const stopped = parts.find((part) => part.status !== 'completed' && part.status !== 'pending');
    const mark = done === parts.length ? '✓' : stopped ? '✗' : '…';
    return `- ${mark} ${name} ${done}/${parts.length}`;
  });
  return [`# ${title}`, lines.join('\n'), text].join('\n\n');
}
