/** The runs of this window, for whoever shows them. They outlive every view; a window that is loaded anew has none. */

import * as vscode from 'vscode';
import { moved, nameOf } from './places';
import type { Ask, PipelineAsk, Proposal, RunResult, StreamValue, Verdict } from './protocol';
import { Track } from './track';

/** Redraws are gathered: a view that is drawn for each chunk falls behind a quick model. */
const REDRAW_MS = 50;

/** How many runs that have ended are kept in sight. */
const KEPT = 20;

export class Live implements vscode.Disposable {
  /** Oldest first. */
  readonly tracks: Track[] = [];
  /** The one that is looked at, '' for none. */
  selected = '';
  /** Whether the panel is in sight. */
  visible = false;
  private readonly began = new vscode.EventEmitter<Track>();
  private readonly changed = new vscode.EventEmitter<undefined>();
  private timer: NodeJS.Timeout | undefined;

  /** Fired when a run begins. */
  readonly onBegan = this.began.event;

  /** Fired a moment after something is different. */
  readonly onChanged = this.changed.event;

  begin(id: string, title: string, file: string, ask: Ask | PipelineAsk, pipeline: boolean): Track {
    const track = new Track(id, title, file, ask, pipeline);
    this.tracks.push(track);
    const over = this.tracks.filter((one) => one.status !== 'running').slice(0, -KEPT);
    for (const one of over) this.tracks.splice(this.tracks.indexOf(one), 1);
    this.selected = id;
    this.began.fire(track);
    this.soon();
    return track;
  }

  event(track: Track, value: StreamValue): void {
    track.event(value);
    this.soon();
  }

  now(track: Track, message: string): void {
    track.now = message;
    this.soon();
  }

  ended(track: Track, result: RunResult): void {
    track.ended(result);
    this.soon();
  }

  broke(track: Track, trouble: string): void {
    track.broke(trouble);
    this.soon();
  }

  decided(proposal: string, verdict: Verdict): void {
    for (const track of this.tracks) if (track.proposal === proposal) track.decided(verdict);
    this.soon();
  }

  /** What the server says that waits in a document. */
  waits(source: vscode.Uri, proposals: readonly Proposal[]): void {
    for (const track of this.tracks) {
      if (!track.proposal || vscode.Uri.parse(track.uri).toString() !== source.toString()) continue;
      track.waits(proposals.find(({ id }) => id === track.proposal)?.hunks ?? []);
    }
    this.soon();
  }

  /** Candidates do not wait any more (`gone`), or all that wait in the book of a document are known. */
  left({ uri, gone, all }: { uri: string; gone?: readonly string[]; all?: readonly string[] }): void {
    for (const track of this.tracks) {
      const known = all && track.uri === uri;
      track.candidates = track.candidates.filter((id) => !gone?.includes(id) && (!known || all.includes(id)));
    }
    this.soon();
  }

  /** A file or folder has another name: the runs on it, and on what lies in it, are about that. */
  renamed(from: vscode.Uri, to: vscode.Uri): void {
    for (const track of this.tracks) {
      const now = moved(vscode.Uri.parse(track.uri), from, to);
      if (now) track.moved(now.toString(), nameOf(now));
    }
    this.soon();
  }

  /** The documents in which changes of a run wait. */
  get waiting(): vscode.Uri[] {
    return this.tracks.filter((track) => track.shown().pending + track.shown().stale > 0).map((track) => vscode.Uri.parse(track.uri));
  }

  /** Whether the writer has a run in front: what the panel says of it need not be said again. */
  sees(id: string): boolean {
    return this.visible && this.selected === id;
  }

  select(id: string): void {
    if (this.find(id)) this.selected = id;
    this.soon();
  }

  /** Nothing ran: there is no row of it. */
  forget(track: Track): void {
    track.broke('');
    this.close(track.id);
  }

  /** Takes a run that has ended out of sight. */
  close(id: string): void {
    const track = this.find(id);
    if (!track || track.status === 'running') return;
    this.tracks.splice(this.tracks.indexOf(track), 1);
    if (this.selected === id) this.selected = this.tracks.at(-1)?.id ?? '';
    this.soon();
  }

  find(id: string): Track | undefined {
    return this.tracks.find((track) => track.id === id);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.began.dispose();
    this.changed.dispose();
  }

  private soon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.changed.fire(undefined);
    }, REDRAW_MS);
  }
}
