/** What the run panel's buttons do. */

import * as vscode from 'vscode';
import type { Answers } from './answers';
import type { Candidates } from './candidates';
import type { Connection } from './client';
import { noted } from './notes';
import type { PanelActs } from './panel';
import type { Past } from './past';
import { files, openOne } from './places';
import type { Review } from './review';
import type { Runs } from './runs';
import { why } from './said';
import type { Act, Track } from './track';

interface Parts {
  connection: Connection;
  runs: Runs;
  review: Review;
  answers: Answers;
  candidates: Candidates;
}

export class Buttons implements PanelActs {
  constructor(
    private readonly parts: Parts,
    private readonly past: Past,
    private readonly context: (argument: object) => Promise<void>,
  ) {}

  act(track: Track, act: Act): Promise<void> {
    return told(() => this.does(track, act));
  }

  /** A further message: the model is told what was said before. */
  follow(track: Track, message: string): Promise<void> {
    const ability = 'ability' in track.ask ? track.ask.ability : '';
    return told(() => this.parts.runs.run({ ability, uri: track.uri, message, follow: track.id }));
  }

  start(): unknown {
    return vscode.commands.executeCommand('inkwrightClient.run');
  }

  earlier(): unknown {
    return vscode.commands.executeCommand('inkwrightClient.listRuns');
  }

  private does(track: Track, act: Act): unknown {
    const { connection, runs, review, answers, candidates } = this.parts;
    const source = vscode.Uri.parse(track.uri);
    switch (act) {
      case 'stop':
        return runs.stop(track.id);
      case 'review':
        return review.open(source);
      case 'acceptAll':
        return review.all(source, 'accept', track.proposal);
      case 'rejectAll':
        return review.all(source, 'reject', track.proposal);
      case 'cards':
        return files(connection, track.uri, track.cards).then(openOne);
      case 'candidates':
        return candidates.open(track.uri);
      case 'resume':
        return runs.pipeline({ uri: track.uri, resume: track.id });
      case 'again':
        return 'ability' in track.ask ? runs.run(track.ask) : runs.pipeline(track.ask);
      case 'model':
        return vscode.commands.executeCommand('inkwrightClient.setUpModel');
      case 'answer':
        return answers.show(track.title, track.id, noted(track.text, vscode.l10n.t('Notes')), track.uri, track.pipeline ? 'page' : 'run');
      case 'context':
        return this.context({ requestId: track.id });
      case 'journal':
        return this.past.journal({ requestId: track.id });
      case 'log':
        connection.showLog();
        return undefined;
    }
  }
}

async function told(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    void vscode.window.showErrorMessage(`Inkwright: ${why(error)}`);
  }
}
