/** Answers that change nothing in the book, as read-only documents. */

import * as vscode from 'vscode';
import { ANSWER_SCHEME } from './places';

/** Answers whose texts are kept, the latest. */
const KEPT = 50;

/** The run whose answer a document is. */
export function runOf(uri: vscode.Uri | undefined): string | undefined {
  return uri?.scheme === ANSWER_SCHEME && uri.authority === 'run' ? uri.query : undefined;
}

/** Where a page is shown: beside the chapter, and not beside another page. */
export function beside(): vscode.ViewColumn {
  const { viewColumn } = vscode.window.tabGroups.activeTabGroup;
  return viewColumn > vscode.ViewColumn.One ? viewColumn : vscode.ViewColumn.Beside;
}

/** Shows a page as it reads, beside the chapter; the writer stays where they write. */
export async function read(page: vscode.Uri): Promise<void> {
  const shown: vscode.TextDocumentShowOptions = { viewColumn: beside(), preserveFocus: true, preview: true };
  await vscode.commands.executeCommand('vscode.openWith', page, 'vscode.markdown.preview.editor', shown);
}

export class Answers implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly content = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.content.event;
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(ANSWER_SCHEME, this);

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  /**
   * Shows a text beside the chapter that it is `about`; each id has a document of its own. A `run` can be followed:
   * its id is that of the run.
   */
  async show(title: string, id: string, text: string, about: string, kind: 'run' | 'page' = 'page'): Promise<void> {
    await vscode.window.showTextDocument(this.keep(title, id, text, about, kind), {
      viewColumn: beside(),
      preserveFocus: true,
      preview: true,
    });
  }

  /** The same as it reads: a table is one. */
  async preview(title: string, id: string, text: string, about: string): Promise<void> {
    await read(this.keep(title, id, text, about, 'page'));
  }

  private keep(title: string, id: string, text: string, about: string, kind: 'run' | 'page'): vscode.Uri {
    const path = `/${title.replaceAll('/', '-')}.md`;
    const uri = vscode.Uri.from({ scheme: ANSWER_SCHEME, authority: kind, path, query: id, fragment: about });
    const key = uri.toString();
    this.texts.delete(key);
    this.texts.set(key, text);
    // Whether a preview still shows a document cannot be asked.
    for (const old of [...this.texts.keys()].slice(0, -KEPT)) this.texts.delete(old);
    this.content.fire(uri);
    return uri;
  }

  dispose(): void {
    this.content.dispose();
    this.registration.dispose();
  }
}
