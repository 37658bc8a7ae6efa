/** Runs of the past: looked at, followed, resumed. */

import * as vscode from 'vscode';
import { type Answers, runOf } from './answers';
import { type Boxes, inTurn } from './boxes';
import type { Connection } from './client';
import { journal } from './journal';
import { type Act, list, type Row } from './list';
import type { RowAct } from './rowActs';
import type { Runs } from './runs';
import type { JournalRun, Runs as Page, StoredRun } from './protocol';

const PAGE = 50;

export class Past {
  constructor(
    private readonly connection: Connection,
    private readonly runs: Runs,
    private readonly answers: Answers,
    private readonly context: (argument: object) => Promise<void>,
  ) {}

  /** The runs of a book; without a URI those of all books. */
  async open(uri: string | undefined): Promise<void> {
    const { runs } = await this.page(uri);
    const title = vscode.l10n.t('Runs');
    const placeholder = runs.length
      ? vscode.l10n.t('What the model saw, the answer, and how to go on from it.')
      : vscode.l10n.t('There are no runs yet.');
    await list(title, placeholder, () => Promise.resolve(runs.map((run) => this.row(run))));
  }

  /** A further message on the answer in front, or on the last answer about the document in front. */
  async follow(active: vscode.Uri | undefined, document: vscode.Uri | undefined): Promise<void> {
    const id = runOf(active);
    if (id) return this.further(await this.connection.execute<StoredRun>('inkwright.getRun', { requestId: id }));
    const runs = document ? await this.about(document.toString()) : [];
    const run = runs.find(canFollow);
    if (run) return this.further(run, run !== runs[0]);
    const start = vscode.l10n.t('Run an Ability…');
    const told = runs.length
      ? vscode.l10n.t('The runs on this chapter brought no answer that you could ask further about.')
      : vscode.l10n.t('Nothing was run on this chapter yet: there is no answer that you could ask further about.');
    if ((await vscode.window.showInformationMessage(told, start)) === start) {
      await vscode.commands.executeCommand('inkwrightClient.run');
    }
  }

  /** `older`: one behind it brought no answer. */
  private further(run: StoredRun, older = false): Promise<void> {
    return inTurn((boxes) => this.furtherBy(boxes, run, older));
  }

  private async furtherBy(boxes: Boxes, run: StoredRun, older = false): Promise<void> {
    if (!canFollow(run)) {
      void vscode.window.showInformationMessage(vscode.l10n.t('This run brought no answer that you could ask further about.'));
      return;
    }
    const told = vscode.l10n.t('What else? The model is told what was said before.');
    const message = await boxes.input({
      title: [run.label, run.path, new Date(run.createdAt).toLocaleString()].join(' · '),
      prompt: older ? `${told} ${vscode.l10n.t('The run after this one brought no answer.')}` : told,
      ignoreFocusOut: true,
    });
    boxes.close();
    if (!message?.trim()) return;
    await this.runs.run({ ability: run.ability, uri: run.uri, message, follow: run.requestId });
  }

  /** The runs about a document, newest first; a pipeline's is no conversation. */
  private async about(uri: string): Promise<StoredRun[]> {
    return (await this.page(uri)).runs.filter((run) => !run.pipeline && run.status !== 'running' && same(run.uri, uri));
  }

  /** The newest runs of a book, of all books without a URI. */
  page(uri: string | undefined): Promise<Page> {
    return this.connection.execute<Page>('inkwright.listRuns', { limit: PAGE, ...(uri ? { uri } : {}) });
  }

  /** The page of one run, from the journal. */
  async journal({ requestId }: Pick<StoredRun, 'requestId'>): Promise<void> {
    const whole = await this.connection.execute<JournalRun>('inkwright.getRun', { requestId });
    await this.answers.show(vscode.l10n.t('Journal'), requestId, journal(whole), whole.uri);
  }

  private row(run: StoredRun): Row {
    const when = new Date(run.createdAt).toLocaleString();
    return {
      item: {
        label: `${run.label} · ${run.path}`,
        description: `${stateOf(run)} · ${modelName(run.model)}`,
        detail: [when, run.message].filter(Boolean).join(' · '),
      },
      acts: this.acts(run),
    };
  }

  /** What can be done with a run that has ended. */
  acts(run: StoredRun): (Act & { name: RowAct })[] {
    const { requestId, uri } = run;
    const out: (Act & { name: RowAct })[] = [
      {
        name: 'context',
        label: vscode.l10n.t('What the Model Saw'),
        icon: 'eye',
        run: () => this.context({ requestId }),
      },
    ];
    out.push({
      name: 'journal',
      label: vscode.l10n.t('Journal'),
      icon: 'list-tree',
      run: () => this.journal(run),
    });
    if (run.text) {
      const kind = run.pipeline ? 'page' : 'run';
      out.push({
        name: 'answer',
        label: vscode.l10n.t('The Answer'),
        icon: 'note',
        run: () => this.answers.show(run.label, requestId, run.text, run.uri, kind),
      });
    }
    if (canFollow(run)) {
      out.push({ name: 'follow', label: vscode.l10n.t('Follow Up…'), icon: 'reply', asks: true, run: (boxes) => this.furtherBy(boxes, run) });
    }
    if (run.pipeline && ['partial', 'failed', 'cancelled', 'interrupted'].includes(run.status)) {
      out.push({
        name: 'resume',
        label: vscode.l10n.t('Resume'),
        icon: 'debug-continue',
        run: () => this.runs.pipeline({ uri, resume: requestId }),
      });
    }
    return out;
  }
}

/** How a run stands, in the writer's language. */
export function stateOf({ status }: StoredRun): string {
  const names: Record<string, string> = {
    running: vscode.l10n.t('running'),
    completed: vscode.l10n.t('completed'),
    partial: vscode.l10n.t('partial'),
    failed: vscode.l10n.t('failed'),
    cancelled: vscode.l10n.t('cancelled'),
    interrupted: vscode.l10n.t('interrupted'),
  };
  return names[status] ?? status;
}

/** What a model is called; the engine that works without one has a name in the writer's language. */
export function modelName(id: string): string {
  return id === 'offline' ? vscode.l10n.t('offline') : id;
}

function canFollow(run: StoredRun): boolean {
  return !run.pipeline && run.text !== '' && (run.status === 'completed' || run.status === 'partial');
}

/** Two spellings of a URI may be one file. */
function same(a: string, b: string): boolean {
  return vscode.Uri.parse(a).toString() === vscode.Uri.parse(b).toString();
}
