/**
 * Focus mode: what Inkwright shows on a page by itself is left off until the writer leaves. No setting is touched: what
 * comes from the server is held back on its way to the editor, so there is nothing to restore, whatever happens.
 */

import * as vscode from 'vscode';
import { focusZen } from './settings';

const KEY = 'inkwright.focus';

export class Focus implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<boolean>();
  private readonly item = vscode.window.createStatusBarItem(KEY, vscode.StatusBarAlignment.Right, 102);

  /** Fired with true when the writer wants to be alone with the text, with false when not any more. */
  readonly onChanged = this.changed.event;

  constructor(private readonly memory: vscode.Memento) {
    this.item.name = 'Inkwright';
    this.item.text = `$(eye-closed) ${vscode.l10n.t('Focus')}`;
    this.item.tooltip = vscode.l10n.t('Lenses, hints, colours and marks are off. Click to have them back.');
    this.item.command = 'inkwrightClient.focus';
    this.show();
  }

  /** Remembered by the window: a reload changes nothing. */
  get on(): boolean {
    return this.memory.get(KEY, false);
  }

  async toggle(): Promise<void> {
    const on = !this.on;
    await this.memory.update(KEY, on);
    this.show();
    this.changed.fire(on);
    if (!focusZen()) return;
    // Leaving first: the editor's own command would take zen mode away from who is in it already.
    await vscode.commands.executeCommand('workbench.action.exitZenMode');
    if (on) await vscode.commands.executeCommand('workbench.action.toggleZenMode');
  }

  dispose(): void {
    this.item.dispose();
    this.changed.dispose();
  }

  private show(): void {
    void vscode.commands.executeCommand('setContext', KEY, this.on);
    if (this.on) this.item.show();
    else this.item.hide();
  }
}
