/** Which document, and which book, a command is about. */

import * as vscode from 'vscode';
import { type Boxes, inTurn } from './boxes';
import type { Connection } from './client';
import type { Book } from './protocol';

export const PROPOSAL_SCHEME = 'inkwright-proposal';
export const ANSWER_SCHEME = 'inkwright-answer';

/** The document in front, be it a chapter or its review; undefined when it is something else. */
export function document(): vscode.Uri | undefined {
  const active = vscode.window.activeTextEditor?.document.uri;
  const uri = active && sourceOf(active);
  return uri?.scheme === 'file' || uri?.scheme === 'untitled' ? uri : undefined;
}

/**
 * Something of the book that the writer is in: the document in front, or what an answer in front is about, else one
 * that is in sight beside it (a page of the server's own lies outside of the workspace), else a folder.
 */
export async function book(): Promise<vscode.Uri | undefined> {
  return vscode.workspace.workspaceFolders?.length ? (inside() ?? (await inTurn(pickFolder))?.uri) : lone();
}

let last: vscode.Uri | undefined;

/**
 * What the writer looks at in the workspace, the nearest first; where a page has covered it, what they looked at
 * last.
 */
function inside(): vscode.Uri | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  const seen = [...(activeTextEditor ? [activeTextEditor] : []), ...visibleTextEditors];
  const subjects = [...seen.map((editor) => subject(editor.document.uri)), ...(last ? [last] : [])];
  last = subjects.find((uri) => vscode.workspace.getWorkspaceFolder(uri));
  return last;
}

/** The document in front where no folder is open. */
function lone(): vscode.Uri | undefined {
  const active = vscode.window.activeTextEditor?.document.uri;
  const uri = active && subject(active);
  return uri?.scheme === 'file' || uri?.scheme === 'untitled' ? uri : undefined;
}

/** What the views are about: the folder of the document in front, else the only or first one, else a document that is alone. */
export function place(): string {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  // A folder stands for what lies in it.
  return first ? (inside()?.toString() ?? `${first.uri.toString()}/`) : (lone()?.toString() ?? '');
}

/**
 * An editor with a chapter: the one in front, else one that is open behind something else (the walkthrough, a
 * page), else the first chapter of the book is opened. Undefined: there is none.
 */
export async function editor(connection: Connection): Promise<vscode.TextEditor | undefined> {
  const front = vscode.window.activeTextEditor;
  if (front) return front;
  const open = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .flatMap(({ input, group }) => (input instanceof vscode.TabInputText ? [{ uri: input.uri, viewColumn: group.viewColumn }] : []))
    .find(({ uri }) => uri.scheme === 'file' && /\.(md|markdown)$/i.test(uri.path));
  // Where it is: what hides it stays in sight beside it.
  return open ? vscode.window.showTextDocument(open.uri, { viewColumn: open.viewColumn }) : firstChapter(connection);
}

/** Opens the first chapter of the workspace's book. Undefined: there is none. */
export async function firstChapter(connection: Connection): Promise<vscode.TextEditor | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder) return undefined;
  const found = await connection.execute<Book>('inkwright.getBook', { uri: `${folder.uri.toString()}/` });
  const first = found.chapters[0];
  if (!first) return undefined;
  return vscode.window.showTextDocument(vscode.Uri.joinPath(vscode.Uri.file(found.book.root), first.path), {
    viewColumn: vscode.ViewColumn.One,
  });
}

export async function pickFolder(boxes: Boxes): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length < 2) return folders[0];
  const items = folders.map((folder) => ({ label: folder.name, description: folder.uri.fsPath, folder }));
  return (await boxes.pick(items, { placeHolder: vscode.l10n.t('Which folder?') }))?.folder;
}

/** Files of the book that `uri` is in, by their paths there. */
export async function files(connection: Connection, uri: string, paths: readonly string[]): Promise<vscode.Uri[]> {
  const found = await connection.execute<Book>('inkwright.getBook', { uri });
  return paths.map((path) => vscode.Uri.joinPath(vscode.Uri.file(found.book.root), path));
}

/** Opens one of the files, chosen by the writer if there are several. */
export async function openOne(uris: readonly vscode.Uri[]): Promise<void> {
  const items = uris.map((uri) => ({ label: nameOf(uri), description: vscode.workspace.asRelativePath(uri), uri }));
  const placeHolder = vscode.l10n.t('Which card is to be opened?');
  const chosen = items.length > 1 ? await vscode.window.showQuickPick(items, { placeHolder }) : items[0];
  if (chosen) await vscode.window.showTextDocument(chosen.uri);
}

export function nameOf(uri: vscode.Uri): string {
  return uri.path.split('/').pop() ?? '';
}

/** The longest word that is not cut, in characters: an address is longer. */
const WORD = 20;

/** One line of a text, in whole words: of the first one as much as `WORD` characters even where `length` is less. */
export function short(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = (part: string): string[] => Array.from(new Intl.Segmenter().segment(part), (one) => one.segment);
  if (characters(line).length <= length) return line;
  let out = '';
  for (const { segment, isWordLike } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(line)) {
    if (characters(out + segment).length > length) {
      if (isWordLike && !/[\p{L}\p{N}]/u.test(out)) out = characters(out + segment).slice(0, Math.max(length, WORD)).join('');
      break;
    }
    out += segment;
  }
  return out.length < line.length ? `${out.trimEnd()}…` : line;
}

/** The end of a path, which tells most: the name and the folder that it is in. */
export function tail(path: string): string {
  const parts = path.split(/(?<=[/\\])/);
  return parts.length > 3 ? `…/${parts.slice(-2).join('')}` : path;
}

/** The right side's URI for a document. */
export function proposed(source: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme: PROPOSAL_SCHEME, path: source.path, query: source.toString() });
}

/** What a URI is once a file or folder, itself or one that it is in, has another name; undefined where none of them has. */
export function moved(uri: vscode.Uri, from: vscode.Uri, to: vscode.Uri): vscode.Uri | undefined {
  if (uri.toString() === from.toString()) return to;
  const inside = uri.scheme === from.scheme && uri.authority === from.authority && uri.path.startsWith(`${from.path}/`);
  return inside ? to.with({ path: to.path + uri.path.slice(from.path.length) }) : undefined;
}

/** What a document is about: the chapter of a review or an answer, or itself. */
function subject(uri: vscode.Uri): vscode.Uri {
  return uri.scheme === ANSWER_SCHEME && uri.fragment ? vscode.Uri.parse(uri.fragment, true) : sourceOf(uri);
}

/** The document that a URI of either side is about. */
export function sourceOf(uri: vscode.Uri): vscode.Uri {
  return uri.scheme === PROPOSAL_SCHEME ? vscode.Uri.parse(uri.query, true) : uri;
}
