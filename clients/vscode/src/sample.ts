/** The sample book: a copy of one's own to try things on. */

import * as vscode from 'vscode';
import type { Connection } from './client';
import { firstChapter } from './places';
import type { Steps } from './steps';

/** The folder that is on its way to be opened, and the walkthrough with it. */
const COMING = 'inkwright.sample';

export class Sample {
  constructor(
    private readonly connection: Connection,
    private readonly storage: vscode.Uri,
    private readonly memory: vscode.Memento,
    private readonly steps: Steps,
  ) {}

  /** Opens the sample book in this window; the first time it is copied out of the program. */
  async open(): Promise<void> {
    const language = vscode.env.language.startsWith('zh') ? 'zh' : 'en';
    const folder = vscode.Uri.joinPath(this.storage, 'sample', language === 'zh' ? '渡口' : 'The Ferry');
    if (!(await exists(vscode.Uri.joinPath(folder, 'book.toml')))) {
      await vscode.workspace.fs.createDirectory(folder);
      await this.connection.execute('inkwright.createBook', { uri: folder.toString(), sample: true, language });
    }
    if (vscode.workspace.workspaceFolders?.some((one) => one.uri.toString() === folder.toString())) {
      await firstChapter(this.connection);
      this.steps.mark('book');
      return;
    }
    await this.memory.update(COMING, folder.toString());
    await vscode.commands.executeCommand('vscode.openFolder', folder, { forceReuseWindow: true });
  }

  /** Called when the server is there: goes on in the window that the sample book was opened in. */
  async arrived(): Promise<void> {
    const samples = `${vscode.Uri.joinPath(this.storage, 'sample').toString()}/`;
    if (vscode.workspace.workspaceFolders?.some((one) => one.uri.toString().startsWith(samples))) this.steps.mark('book');
    const coming = this.memory.get<string>(COMING);
    if (!coming || vscode.workspace.workspaceFolders?.[0]?.uri.toString() !== coming) return;
    await this.memory.update(COMING, undefined);
    await firstChapter(this.connection);
    await this.steps.open(true);
  }
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
