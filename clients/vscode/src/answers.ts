/** Answers that change nothing in the book, as read-only documents. */

import * as vscode from 'vscode';
import { ANSWER_SCHEME } from './places';

/** The run whose answer a document is. */
export function runOf(uri: vscode.Uri | undefined): string | undefined {
  return uri?.scheme === ANSWER_SCHEME && uri.authority === 'run' ? uri.query : undefined;
}

/** Where a page is shown: beside the chapter, and not beside another page. */
export function beside(): vscode.ViewColumn {
  const { viewColumn } = vscode.window.tabGroups.activeTabGroup;
  return viewColumn > vscode.ViewColumn.One ? viewColumn : vscode.ViewColumn.Beside;
}

export class Answers implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly content = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.content.event;
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(ANSWER_SCHEME, this);
  private readonly closing = vscode.workspace.onDidCloseTextDocument((document) => {
    this.texts.delete(document.uri.toString());
  });

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  /**
   * Shows a text beside the chapter that it is `about`; each id has a document of its own. A `run` can be followed:
   * its id is that of the run.
   */
  async show(title: string, id: string, text: string, about: string, kind: 'run' | 'page' = 'page'): Promise<void> {
    const path = `/${title.replaceAll('/', '-')}.md`;
    const uri = vscode.Uri.from({ scheme: ANSWER_SCHEME, authority: kind, path, query: id, fragment: about });
    this.texts.set(uri.toString(), text);
    this.content.fire(uri);
    await vscode.window.showTextDocument(uri, {
      viewColumn: beside(),
      preserveFocus: true,
      preview: true,
    });
  }

  dispose(): void {
    this.closing.dispose();
    this.content.dispose();
    this.registration.dispose();
  }
}
