/** Answers that change nothing in the book, as read-only documents. */

import * as vscode from 'vscode';

export const ANSWER_SCHEME = 'inkwright-answer';

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

  /** Shows a text beside the chapter; each run has a document of its own. */
  async show(title: string, id: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: ANSWER_SCHEME, path: `/${title.replaceAll('/', '-')}.md`, query: id });
    this.texts.set(uri.toString(), text);
    this.content.fire(uri);
    await vscode.window.showTextDocument(uri, {
      viewColumn: vscode.ViewColumn.Beside,
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
