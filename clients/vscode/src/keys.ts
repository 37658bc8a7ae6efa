/** Keys of models, in the editor's own store; the server gets them through the pipe and keeps them in memory. */

import * as vscode from 'vscode';
import { type Boxes, inTurn } from './boxes';
import type { Connection } from './client';

const NAMES = 'inkwright.keys';
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** What is wrong with a name of a key or a model; undefined: nothing. */
export function misnamed(text: string): string | undefined {
  return NAME.test(text) ? undefined : vscode.l10n.t('Latin letters (a–z), digits, dots and dashes only, no blanks.');
}

export class Keys {
  constructor(
    private readonly connection: Connection,
    private readonly store: vscode.SecretStorage,
    private readonly names: vscode.Memento,
  ) {}

  /** Gives the server every key there is; called each time that it has started. */
  async handOver(): Promise<void> {
    for (const name of this.known()) {
      const value = await this.store.get(name);
      if (value) await this.connection.quietly(() => this.connection.execute('inkwright.setSecret', { name, value }));
    }
  }

  /** Asks for a name and a key, without showing it, and keeps it. */
  set(): Promise<void> {
    return inTurn((boxes) => this.setBy(boxes));
  }

  private async setBy(boxes: Boxes): Promise<void> {
    const name = await boxes.input({
      prompt: vscode.l10n.t('The vendor whose key it is, such as deepseek, or a name of your own'),
      validateInput: misnamed,
    });
    if (!name) return;
    await this.ask(boxes, name, name);
  }

  /** Asks for the key of a name that is known, and keeps it. False: none was given. */
  async ask(boxes: Boxes, name: string, label: string): Promise<boolean> {
    const given = await boxes.input({
      prompt: vscode.l10n.t('The key of {0}. It is kept in the secret storage of the editor.', label),
      password: true,
      ignoreFocusOut: true,
    });
    return this.keep(name, given);
  }

  /** Asks for a key that there need not be; `trouble` is why again. False: none was given; undefined: the writer left. */
  async maybe(boxes: Boxes, name: string, label: string, trouble?: string): Promise<boolean | undefined> {
    const given = await boxes.input({
      prompt: vscode.l10n.t('The key of {0}, or nothing if it needs none. It is kept in the secret storage of the editor.', label),
      password: true,
      ignoreFocusOut: true,
      trouble,
    });
    return given === undefined ? undefined : this.keep(name, given);
  }

  private async keep(name: string, given: string | undefined): Promise<boolean> {
    const value = given?.trim();
    if (!value) return false;
    await this.connection.quietly(() => this.connection.execute('inkwright.setSecret', { name, value }));
    await this.store.store(name, value);
    await this.names.update(NAMES, [...new Set([...this.known(), name])].sort());
    return true;
  }

  /** Deletes a key from the store and has the server forget it. */
  async forget(): Promise<void> {
    const known = this.known();
    if (!known.length) {
      void vscode.window.showInformationMessage(vscode.l10n.t('No key is kept by the editor.'));
      return;
    }
    const name = await vscode.window.showQuickPick(known, {
      placeHolder: vscode.l10n.t('The key to delete'),
    });
    if (name) await this.drop(name);
  }

  /** The same for one that is named. */
  async drop(name: string): Promise<void> {
    await this.store.delete(name);
    await this.names.update(
      NAMES,
      this.known().filter((one) => one !== name),
    );
    await this.connection.execute('inkwright.forgetSecret', { name });
  }

  private known(): string[] {
    return this.names.get<string[]>(NAMES, []);
  }
}
