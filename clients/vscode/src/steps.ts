/** The walkthrough and how far the writer has come in it. */

import * as vscode from 'vscode';

export type Step = 'server' | 'book' | 'polish' | 'review';

export class Steps {
  private readonly done = new Set<Step>();

  /** Ticks a step off. */
  mark(step: Step): void {
    if (this.done.has(step)) return;
    this.done.add(step);
    void set(step, true);
  }

  /** Opens the walkthrough. The editor ticks off what becomes true while it looks, not what was true before. */
  async open(beside: boolean): Promise<void> {
    await Promise.all([...this.done].map((step) => set(step, false)));
    await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'inkwright.inkwright#start', beside);
    await Promise.all([...this.done].map((step) => set(step, true)));
  }
}

function set(step: Step, value: boolean): Thenable<unknown> {
  return vscode.commands.executeCommand('setContext', `inkwright.step.${step}`, value);
}
