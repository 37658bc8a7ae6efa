/** Wiring only: makes the parts, connects them, and takes them down. */

import * as vscode from 'vscode';
import { Last } from './abilities';
import { Answers } from './answers';
import { Candidates } from './candidates';
import { Connection } from './client';
import { Commands, type Parts } from './commands';
import { Focus } from './focus';
import { Goals } from './goals';
import { Keys } from './keys';
import { Live } from './live';
import { Marks } from './marks';
import { Memories } from './memories';
import { Outcome } from './outcome';
import { Panel } from './panel';
import { Buttons } from './panelActs';
import type { Ask, PipelineAsk } from './protocol';
import { Review } from './review';
import { Runs } from './runs';
import { Sample } from './sample';
import { Sitting } from './sitting';
import { Steps } from './steps';
import { Status } from './status';
import { trouble } from './trouble';
import { Views } from './views';

/** What the extension's own tests, and other extensions, can use. */
export type Api = Parts;

let connection: Connection | undefined;

export function activate(context: vscode.ExtensionContext): Api {
  const { version } = context.extension.packageJSON as { version: string };
  const focus = new Focus(context.workspaceState);
  const live = new Live();
  const answers = new Answers();
  const told = trouble(version);
  connection = new Connection(
    version,
    (command, argument) => intercept(command, argument),
    // In its review a chapter has the review's lenses; the server's would say everything twice.
    (document) => review.isOpen(document),
    focus,
    told,
  );
  const review = new Review(connection);
  const candidates = new Candidates(connection, answers);
  const memories = new Memories(connection);
  const outcome = new Outcome(connection, review, answers, candidates, (id) => live.sees(id));
  const last = new Last(context.workspaceState);
  const runs = new Runs(connection, live, outcome, last);
  const keys = new Keys(connection, context.secrets, context.globalState);
  const steps = new Steps();
  const sitting = new Sitting();
  const goals = new Goals(connection, sitting);
  const sample = new Sample(connection, context.globalStorageUri, context.globalState, steps);
  const parts = { connection, runs, review, live, last, answers, outcome, candidates, memories, keys, focus, goals, sample, steps };
  const commands = new Commands(parts);

  // A lens or a code action of the server's goes the same way as a command of ours.
  function intercept(command: string, argument: unknown): Promise<unknown> | undefined {
    if (typeof argument !== 'object' || argument === null) return undefined;
    const { proposalId, hunks } = argument as { proposalId?: string; hunks?: number[] };
    const choice = { proposal: proposalId ?? '', ...(hunks ? { hunks } : {}) };
    switch (command) {
      case 'inkwright.runAbility':
        return runs.run(argument as Ask);
      case 'inkwright.runPipeline':
        return runs.pipeline(argument as PipelineAsk);
      case 'inkwright.acceptProposal':
        return review.accept(choice);
      case 'inkwright.rejectProposal':
        return review.reject(choice);
      case 'inkwright.acceptCandidates':
      case 'inkwright.rejectCandidates':
        return candidates.decide(command, argument as { uri: string; ids: string[] });
      default:
        return undefined;
    }
  }

  context.subscriptions.push(
    focus,
    goals,
    live,
    answers,
    review,
    runs,
    commands.register(),
    new Panel(context.extensionUri, live, new Buttons(parts, commands.past, (argument) => commands.openContext(argument))),
    new Marks(connection, review, focus),
    review.onDecided(({ proposal, verdict }) => live.decided(proposal, verdict)),
    candidates,
    candidates.onLeft((left) => live.left(left)),
    review.onHeard(({ source, proposals }) => live.waits(source, proposals)),
    parts.connection.onElsewhere(({ changed }) => {
      if (changed.includes('proposals')) void review.again(live.waiting);
      const asked = new Set(live.tracks.filter((track) => track.candidates.length).map((track) => track.uri));
      if (changed.includes('candidates')) for (const uri of asked) candidates.waiting(uri).catch(() => undefined);
    }),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused && parts.connection.running) void review.again(live.waiting);
    }),
    new Status(connection, runs, focus, sitting),
    new Views(connection, runs, memories, commands.past),
    connection,
    connection.onReady((ready) => {
      if (!ready) return;
      told.found();
      steps.mark('server');
      keys.handOver().catch(() => undefined);
      sample.arrived().catch(() => undefined);
    }),
    connection.onDecided(() => steps.mark('review')),
    vscode.window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
      if ([...opened, ...closed].some((tab) => tab.input instanceof vscode.TabInputTextDiff)) {
        parts.connection.refreshLenses();
      }
    }),
    vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) {
        live.renamed(oldUri, newUri);
        review.renamed(oldUri, newUri).catch(() => undefined);
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void parts.connection.start()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('inkwright.server.path')) parts.connection.reconsider();
    }),
  );
  // Nobody waits for the server: what needs it does so by itself.
  void connection.start();
  return parts;
}

export async function deactivate(): Promise<void> {
  await connection?.stop();
}
