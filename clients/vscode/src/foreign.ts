import * as vscode from 'vscode';
import type { TextDocumentFilter } from 'vscode-languageclient/node';

/** What tells that a folder is a project whose chapters are plain text; a `.txt` elsewhere is none of ours. */
const SIGNS = '**/{Novel_architecture.txt,Novel_directory.txt,anhproject.md,MANUSKRIPT}';
const ROLES = '**/novel-helper/*';
const MOST = 50;
const SECONDS = 3;

/** The documents of such projects in the workspace. Takes no longer than a few seconds; then it is as if there were none. */
export async function texts(): Promise<TextDocumentFilter[]> {
  const late = new vscode.CancellationTokenSource();
  const timer = setTimeout(() => late.cancel(), SECONDS * 1000);
  const find = (glob: string): Thenable<vscode.Uri[]> =>
    vscode.workspace.findFiles(glob, '**/{node_modules,.git}/**', MOST, late.token);
  try {
    const [signs, roles] = await Promise.all([find(SIGNS), find(ROLES)]);
    const bases = [
      ...signs.map((sign) => vscode.Uri.joinPath(sign, '..')),
      ...roles.map((role) => vscode.Uri.joinPath(role, '..', '..')),
    ];
    return [...new Set(bases.filter((base) => base.scheme === 'file').map(String))].map((baseUri) => ({
      scheme: 'file',
      pattern: { baseUri, pattern: '**/*.txt' },
    }));
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
    late.dispose();
  }
}
