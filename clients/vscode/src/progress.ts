/** Work-done progress: what can be cancelled is a notification with Cancel, the rest stays in the status bar. */

import * as vscode from 'vscode';
import type { Middleware, ProgressToken, WorkDoneProgressBegin } from 'vscode-languageclient/node';

type Step = vscode.Progress<{ message?: string; increment?: number }>;

class Shown {
  private step: Step | undefined;
  private finish: () => void = () => undefined;
  private percentage = 0;
  private waiting = '';

  constructor(begin: WorkDoneProgressBegin, cancel: () => void) {
    void vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: begin.title,
        cancellable: true,
      },
      (step, token) => {
        this.step = step;
        token.onCancellationRequested(cancel);
        if (this.waiting) step.report({ message: this.waiting });
        return new Promise<void>((resolve) => (this.finish = resolve));
      },
    );
    this.report(begin.message, begin.percentage);
  }

  report(message: string | undefined, percentage: number | undefined): void {
    const increment = percentage === undefined ? 0 : Math.max(0, percentage - this.percentage);
    this.percentage += increment;
    if (message) this.waiting = message;
    this.step?.report({ ...(message ? { message } : {}), ...(increment ? { increment } : {}) });
  }

  end(): void {
    this.finish();
  }
}

/** Somebody who shows a progress in a place of their own. */
export interface Watcher {
  said(message: string): void;
  /** Whether it is shown there, so that a notification would be one too many. */
  elsewhere(): boolean;
}

export class Progress {
  private readonly shown = new Map<ProgressToken, Shown>();
  private readonly watchers = new Map<ProgressToken, Watcher>();

  /** `cancel` tells the server that the user cancelled the work under a token. */
  constructor(private readonly cancel: (token: ProgressToken) => void) {}

  watch(token: ProgressToken, watcher: Watcher): vscode.Disposable {
    this.watchers.set(token, watcher);
    return new vscode.Disposable(() => this.watchers.delete(token));
  }

  readonly handle: NonNullable<Middleware['handleWorkDoneProgress']> = (token, params, next) => {
    const watcher = this.watchers.get(token);
    if (watcher && params.kind !== 'end' && params.message !== undefined) watcher.said(params.message);
    if (params.kind === 'begin' && params.cancellable) {
      if (watcher?.elsewhere()) return;
      this.shown.get(token)?.end();
      this.shown.set(token, new Shown(params, () => this.cancel(token)));
      return;
    }
    const shown = this.shown.get(token);
    if (!shown) {
      if (!watcher) next(token, params);
    } else if (params.kind === 'end') {
      shown.end();
      this.shown.delete(token);
    } else {
      shown.report(params.message, params.percentage);
    }
  };

  /** The server is gone: nothing it was doing goes on. */
  clear(): void {
    for (const shown of this.shown.values()) shown.end();
    this.shown.clear();
  }
}
