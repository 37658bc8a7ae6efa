/** What waits, in the chapter itself: the old words struck out, the new ones behind them. The text stays as it is. */

import * as vscode from 'vscode';
import type { Connection } from './client';
import type { Focus } from './focus';
import { type Placed, sharedWords } from './hunks';
import { sourceOf } from './places';
import type { Page, Review } from './review';
import * as settings from './settings';

/** Characters of a new text that are shown in the line; the hover has all of it. */
const SHOWN = 300;

/** Where a chapter can be: in a file, or not yet in one. */
const OURS: readonly string[] = ['file', 'untitled'];

export class Marks implements vscode.Disposable {
  private readonly asked = new Set<string>();
  private readonly old = vscode.window.createTextEditorDecorationType({
    textDecoration: 'line-through',
    backgroundColor: new vscode.ThemeColor('diffEditor.removedTextBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.modifiedForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  private readonly fresh = vscode.window.createTextEditorDecorationType({
    after: {
      backgroundColor: new vscode.ThemeColor('diffEditor.insertedTextBackground'),
      color: new vscode.ThemeColor('editor.foreground'),
    },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  private readonly parts: vscode.Disposable[];

  constructor(
    private readonly connection: Connection,
    private readonly review: Review,
    private readonly focus: Focus,
  ) {
    this.parts = [
      review.onLoaded((page) => this.draw(page.source)),
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        for (const editor of editors) this.look(editor);
      }),
      vscode.window.onDidChangeActiveTextEditor(() => this.tell()),
      // An editor is in sight before its tab is known: only then it is seen that it stands in no review any more.
      vscode.window.tabGroups.onDidChangeTabs(() => this.paintAll()),
      // The review forgets it too.
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.asked.delete(uri.toString())),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('inkwright.inlineChanges')) this.paintAll();
      }),
      focus.onChanged(() => this.paintAll()),
      connection.onReady((ready) => {
        this.asked.clear();
        if (ready) for (const editor of vscode.window.visibleTextEditors) this.look(editor);
      }),
    ];
  }

  dispose(): void {
    for (const part of [this.old, this.fresh, ...this.parts]) part.dispose();
  }

  /** A chapter came into sight: what waits in it is asked for once, afterwards the review tells. */
  private look(editor: vscode.TextEditor): void {
    const { uri, languageId } = editor.document;
    this.paint(editor);
    if (!OURS.includes(uri.scheme) || languageId !== 'markdown' || !this.connection.running || this.asked.has(uri.toString())) return;
    this.asked.add(uri.toString());
    this.review.changed(uri, true).catch(() => this.asked.delete(uri.toString()));
  }

  private draw(source: vscode.Uri): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document.uri.toString() === source.toString()) this.paint(editor);
    }
    this.tell();
  }

  /** Whether there is something to decide in the editor in front: its keys are only then the review's. */
  private tell(): void {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const waits = uri && this.review.waiting(sourceOf(uri))?.composed.placed.length;
    void vscode.commands.executeCommand('setContext', 'inkwright.reviewing', Boolean(waits));
  }

  private paintAll(): void {
    for (const editor of vscode.window.visibleTextEditors) this.paint(editor);
  }

  private paint(editor: vscode.TextEditor): void {
    const { document } = editor;
    if (!OURS.includes(document.uri.scheme)) return;
    const shown = settings.inlineChanges() && !this.focus.on && !beside(editor);
    const page = shown ? this.review.waiting(document.uri) : undefined;
    const placed = page && fits(page, document) ? page.composed.placed : [];
    const all = placed.map((one) => mark(document, one));
    editor.setDecorations(this.old, all.map((one) => one.old));
    editor.setDecorations(this.fresh, all.flatMap((one) => one.fresh ?? []));
  }
}

/** Whether an editor is the left side of a diff, which shows the changes itself. */
function beside({ document, viewColumn }: vscode.TextEditor): boolean {
  if (viewColumn === undefined) return true;
  const tab = vscode.window.tabGroups.all.find((group) => group.viewColumn === viewColumn)?.activeTab;
  return tab?.input instanceof vscode.TabInputTextDiff && tab.input.original.toString() === document.uri.toString();
}

/** Whether the document is still the one that the page was made over; a new page comes in a moment. */
function fits({ composed }: Page, document: vscode.TextDocument): boolean {
  const text = document.getText();
  return composed.placed.every(({ piece }) => text.slice(piece.start, piece.end) === piece.before);
}

interface Mark {
  old: vscode.DecorationOptions;
  fresh?: vscode.DecorationOptions;
}

/** Only what differs is struck out and written anew: a sentence with another comma stays readable. */
function mark(document: vscode.TextDocument, { piece }: Placed): Mark {
  const { front, back } = sharedWords(piece.before, piece.after);
  const range = new vscode.Range(document.positionAt(piece.start + front), document.positionAt(piece.end - back));
  const after = piece.after.slice(front, piece.after.length - back);
  const hoverMessage = hover(document.uri, piece);
  const warned = piece.findings.length ? ' ⚠' : '';
  const old = { range, hoverMessage };
  if (!after && !warned) return { old };
  const end = new vscode.Range(range.end, range.end);
  return { old, fresh: { range: end, renderOptions: { after: { contentText: `${line(after)}${warned}` } } } };
}

/** A text in one line, cut with a sign. */
function line(text: string): string {
  const one = text.replace(/\r\n|\r|\n/g, '⏎');
  const characters = Array.from(new Intl.Segmenter().segment(one.slice(0, 4 * SHOWN)), ({ segment }) => segment);
  return characters.length > SHOWN ? `${characters.slice(0, SHOWN).join('')}…` : one;
}

/** The whole new text, what the guard found, and the two decisions. */
function hover(source: vscode.Uri, { proposal, index, after, findings }: Placed['piece']): vscode.MarkdownString {
  const said = new vscode.MarkdownString();
  const argument = encodeURIComponent(JSON.stringify([{ uri: source.toString(), proposal, hunks: [index] }]));
  said.isTrusted = { enabledCommands: ['inkwrightClient.acceptHunk', 'inkwrightClient.rejectHunk'] };
  said.appendMarkdown(`[${vscode.l10n.t('✓ Accept')}](command:inkwrightClient.acceptHunk?${argument}) `);
  said.appendMarkdown(`[${vscode.l10n.t('✗ Reject')}](command:inkwrightClient.rejectHunk?${argument})\n\n`);
  for (const finding of findings) said.appendText(`⚠ ${finding}\n`);
  if (after) said.appendCodeblock(after, 'markdown');
  return said;
}
