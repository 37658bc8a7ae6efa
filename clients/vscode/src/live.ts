/** The text of a run in an output view, as it is written. */

import * as vscode from 'vscode';
import type { StreamValue } from './protocol';

/** Redraws are gathered: a view that is drawn for each chunk falls behind a quick model. */
const REDRAW_MS = 50;

export class Live implements vscode.Disposable {
  private readonly view = vscode.window.createOutputChannel(vscode.l10n.t('Inkwright: Live Text'), 'markdown');
  private pending = '';
  private timer: NodeJS.Timeout | undefined;
  private written = '';

  begin(title: string, show: boolean): void {
    this.add(`${this.written ? '\n\n' : ''}▸ ${title}\n\n`);
    if (show) this.view.show(true);
  }

  event(value: StreamValue): void {
    if (value.event === 'chunk') this.add(value.data);
    if (value.event === 'error') this.add(`\n\n▪ ${value.data.message}\n`);
    if (value.event === 'cancelled') this.add(`\n\n▪ ${vscode.l10n.t('Cancelled. The text is unchanged.')}\n`);
    if (value.event === 'done') this.add(`\n\n▪ ${vscode.l10n.t('Done.')}\n`);
  }

  show(): void {
    this.view.show(true);
  }

  /** All that was written in this session, drawn or not. */
  text(): string {
    return this.written;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.view.dispose();
  }

  private add(text: string): void {
    this.written += text;
    this.pending += text;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.view.append(this.pending);
      this.pending = '';
    }, REDRAW_MS);
  }
}
