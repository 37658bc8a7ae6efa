/** The review: the chapter on the left, on the right what it would be, and a decision on each hunk. */

import * as vscode from 'vscode';
import type { Connection } from './client';
import { at, before, compose, type Composed, onward, type Piece } from './hunks';
import { actions, type Choice, lenses } from './offers';
import { moved, nameOf, PROPOSAL_SCHEME, proposed, sourceOf } from './places';
import type { Proposal, Verdict } from './protocol';

const SETTLE_MS = 250;

/** Milliseconds for which the status bar says something. */
const SAID_MS = 10_000;

/** Milliseconds in which the right side shows what it is given. */
const SHOWN_MS = 10_000;

/** What waits in a document, over the text that it had at that moment. */
export interface Page {
  source: vscode.Uri;
  composed: Composed;
  /** Hunks that no longer fit, since their text was edited. */
  stale: number;
  /** All that are not decided: those that no longer fit, and those that a newer one hides, too. */
  waiting: number;
  /** The document's at that moment. */
  version: number;
}

export class Review implements vscode.Disposable, vscode.TextDocumentContentProvider, vscode.CodeLensProvider {
  private readonly pages = new Map<string, Page>();
  private readonly content = new vscode.EventEmitter<vscode.Uri>();
  private readonly lenses = new vscode.EventEmitter<void>();
  private readonly loaded = new vscode.EventEmitter<Page>();
  private readonly decided = new vscode.EventEmitter<{ proposal: string; verdict: Verdict }>();
  private readonly heard = new vscode.EventEmitter<{ source: vscode.Uri; proposals: Proposal[] }>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly parts: { dispose(): unknown }[];

  readonly onDidChange = this.content.event;
  readonly onDidChangeCodeLenses = this.lenses.event;

  /** Fired when what waits in a document was asked for anew. */
  readonly onLoaded = this.loaded.event;

  /** Fired with what the server says that waits in a document. */
  readonly onHeard = this.heard.event;

  /** Fired when hunks were accepted or rejected. */
  readonly onDecided = this.decided.event;

  constructor(private readonly connection: Connection) {
    const selector = { scheme: PROPOSAL_SCHEME };
    this.parts = [
      this.content,
      this.lenses,
      this.loaded,
      this.decided,
      this.heard,
      vscode.workspace.registerTextDocumentContentProvider(PROPOSAL_SCHEME, this),
      vscode.languages.registerCodeLensProvider(selector, this),
      vscode.languages.registerCodeActionsProvider(selector, { provideCodeActions: (d, r, context) => this.actions(d, r, context) }),
      vscode.workspace.onDidChangeTextDocument((event) => this.later(event.document.uri)),
      vscode.workspace.onDidCloseTextDocument((document) => this.closed(document.uri)),
    ];
  }

  /** Opens the review of a document; says so when nothing waits there. */
  async open(source: vscode.Uri): Promise<void> {
    const page = await this.load(source);
    if (!page.composed.placed.length) {
      if (page.stale) sayStale(page);
      else void vscode.window.showInformationMessage(vscode.l10n.t('No change waits in this document.'));
      return;
    }
    const name = source.path.split('/').pop() ?? '';
    const title = vscode.l10n.t('{0}: proposed changes', name);
    const viewColumn = this.column(source);
    await vscode.commands.executeCommand('vscode.diff', source, proposed(source), title, { preview: false, viewColumn });
  }

  /** Where a review belongs: where it is already, else where its chapter is in sight: what stands beside stays in sight. */
  private column(source: vscode.Uri): vscode.ViewColumn {
    const open = this.tabs(source)[0]?.group.viewColumn;
    const seen = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
    const chapter = seen.find((editor) => editor?.document.uri.toString() === source.toString());
    return open ?? chapter?.viewColumn ?? vscode.ViewColumn.Active;
  }

  /** Whether the review of a document is on the screen or behind a tab. */
  isOpen(source: vscode.Uri): boolean {
    return this.tabs(source).length > 0;
  }

  /** Proposals came or went, or the document changed: what is known, or there now for certain, is made anew. */
  async changed(source: vscode.Uri, certain = false): Promise<void> {
    if (certain || this.pages.has(source.toString())) await this.load(source);
  }

  /**
   * Asks anew for what waits: another window may have decided it. Asked about are
   * the documents in sight, those in which something is known to wait, and `more`.
   */
  async again(more: readonly vscode.Uri[]): Promise<void> {
    const seen = vscode.window.visibleTextEditors.map(({ document }) => sourceOf(document.uri).toString());
    const waits = [...this.pages].filter(([key, page]) => page.composed.placed.length + page.stale > 0 || seen.includes(key));
    const keys = new Set([...waits.map(([key]) => key), ...more.map(String)]);
    for (const key of keys) {
      const source = vscode.Uri.parse(key);
      // One whose file is gone keeps no other from being asked about.
      await (this.pages.has(key) ? this.load(source) : this.proposals(source)).catch(() => undefined);
    }
  }

  /** A file or folder has another name: what waits goes with it, and a review that is open is about that. */
  async renamed(from: vscode.Uri, to: vscode.Uri): Promise<void> {
    const known = [...this.pages.values()].flatMap(({ source }) => moved(source, from, to) ?? []);
    const seen = vscode.window.visibleTextEditors.map(({ document }) => document.uri).filter((uri) => moved(uri, to, to));
    const reviewed = [...this.pages.values()].filter(({ source }) => moved(source, from, to) && this.isOpen(source));
    for (const { source } of reviewed) await vscode.window.tabGroups.close(this.tabs(source));
    for (const key of this.pages.keys()) if (moved(vscode.Uri.parse(key), from, to)) this.pages.delete(key);
    // The server hears of it after us.
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    for (const uri of new Map([...known, ...seen].map((one) => [one.toString(), one])).values()) await this.load(uri);
    for (const { source } of reviewed) await this.open(moved(source, from, to) ?? source);
  }

  /** What is known to wait in a document; nothing is asked for. */
  waiting(source: vscode.Uri): Page | undefined {
    return this.pages.get(source.toString());
  }

  /**
   * Puts the cursor on the next hunk, or the one before, round and round; whether there is one. `from` is where one
   * stood that has just been decided: the next may begin there, and the cursor may have been moved by what came in.
   */
  async go(editor: vscode.TextEditor, step: 1 | -1, from?: number): Promise<boolean> {
    const { document } = editor;
    const page = await this.seen(document);
    const here = from ?? document.offsetAt(editor.selection.active);
    const found = onward(this.stretches(document, page), here, step, from !== undefined);
    if (!found) return false;
    const at = document.positionAt(found.start);
    editor.selection = new vscode.Selection(at, at);
    editor.revealRange(new vscode.Range(at, document.positionAt(found.end)), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    return true;
  }

  /** Accepts hunks; without indices those that the guard found nothing in. */
  async accept(choice: Partial<Choice> & { proposal: string }): Promise<Verdict> {
    const verdict = await this.decide('inkwright.acceptProposal', choice);
    if (verdict.stale.length) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t('Changes that no longer fit, since their text was edited meanwhile: {0}.', verdict.stale.length),
      );
    }
    return verdict;
  }

  async reject(choice: Partial<Choice> & { proposal: string }): Promise<Verdict> {
    return this.decide('inkwright.rejectProposal', choice);
  }

  /** All pending hunks of a document, or of one proposal for it, accepted or rejected. */
  async all(source: vscode.Uri, how: 'accept' | 'reject', of?: string): Promise<void> {
    const uri = source.toString();
    const waiting = (await this.proposals(source)).filter(({ id }) => !of || id === of);
    if (!waiting.length) void vscode.window.showInformationMessage(vscode.l10n.t('No change waits in this document.'));
    // What another proposal's change hides was not seen, and is not accepted.
    const { placed } = (await this.current(source)).composed;
    for (const proposal of waiting) {
      const sound = placed.filter(({ piece }) => piece.proposal === proposal.id && !piece.findings.length);
      if (how === 'reject') await this.reject({ uri, proposal: proposal.id, hunks: proposal.hunks.map((hunk) => hunk.index) });
      else if (sound.length) await this.accept({ uri, proposal: proposal.id, hunks: sound.map(({ piece }) => piece.index) });
    }
    if (how !== 'accept') return;
    const left = (await this.load(source)).composed.placed.length;
    if (!left) return;
    const told =
      left === 1
        ? vscode.l10n.t('One change is left to you, for it may lose or change what your text says. Look at it.')
        : vscode.l10n.t('{0} changes are left to you, for they may lose or change what your text says. Look at them one by one.', left);
    void vscode.window.showInformationMessage(told);
  }

  /** The hunk at the cursor of an editor, and where it begins there: of the chapter itself or of the review's right side. */
  async choiceAt(editor: vscode.TextEditor): Promise<(Choice & { start: number }) | undefined> {
    const { document } = editor;
    const source = sourceOf(document.uri);
    const page = await this.seen(document);
    const { selection } = editor;
    const line = document.lineAt(selection.active.line);
    const found = at(
      this.stretches(document, page),
      document.offsetAt(selection.active),
      document.offsetAt(line.range.start),
      document.offsetAt(line.range.end),
    );
    return found && { uri: source.toString(), proposal: found.piece.proposal, hunks: [found.piece.index], start: found.start };
  }

  /** The selection of an editor, in the chapter: on the right side of a review what its hunks change counts as a whole. */
  async inChapter({ document, selection }: vscode.TextEditor): Promise<vscode.Range> {
    if (document.uri.scheme !== PROPOSAL_SCHEME) return selection;
    const { source, composed } = await this.seen(document);
    const there = await chapter(source);
    const [start, end] = before(composed.placed, document.offsetAt(selection.start), document.offsetAt(selection.end));
    return new vscode.Range(there.positionAt(start), there.positionAt(end));
  }

  /**
   * Takes the last change of the chapter back, or makes it again, from the right side of its review, which has no
   * change of its own: an acceptance that is taken back waits again.
   */
  async takeBack(how: 'undo' | 'redo', { document }: vscode.TextEditor): Promise<void> {
    const source = sourceOf(document.uri);
    // The left side is the chapter: it is there for a moment, and what is in sight stays.
    await vscode.commands.executeCommand('diffEditor.switchSide');
    await vscode.commands.executeCommand(how);
    await vscode.commands.executeCommand('diffEditor.switchSide');
    await this.changed(source);
  }

  /** Where each hunk stands in a document: the chapter itself or the review's right side. */
  private stretches(document: vscode.TextDocument, page: Page): { piece: Piece; start: number; end: number }[] {
    const right = document.uri.scheme === PROPOSAL_SCHEME;
    return page.composed.placed.map((placed) => ({
      piece: placed.piece,
      start: right ? placed.start : placed.piece.start,
      end: right ? placed.end : placed.piece.end,
    }));
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.pages.get(sourceOf(uri).toString())?.composed.text ?? '';
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const source = sourceOf(document.uri);
    const page = this.pages.get(source.toString());
    return page?.composed.text === document.getText() ? lenses(document, source, page) : [];
  }

  dispose(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    for (const part of this.parts) part.dispose();
  }

  private actions(document: vscode.TextDocument, range: vscode.Range, { triggerKind }: vscode.CodeActionContext): vscode.CodeAction[] {
    // The lenses say it: a bulb would stand beside, on an empty line where there is one.
    if (triggerKind === vscode.CodeActionTriggerKind.Automatic) return [];
    const source = sourceOf(document.uri);
    const page = this.pages.get(source.toString());
    return page ? actions(document, range, source, page.composed) : [];
  }

  private async decide(
    command: 'inkwright.acceptProposal' | 'inkwright.rejectProposal',
    choice: Partial<Choice> & { proposal: string },
  ): Promise<Verdict> {
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === choice.uri);
    const before = document?.getText();
    const verdict = await this.connection.execute<Verdict>(command, {
      proposalId: choice.proposal,
      ...(choice.hunks ? { hunks: choice.hunks } : {}),
    });
    if (document && before !== undefined && document.getText() !== before && (await isPhantom(document))) {
      // The server takes a text that is as it was for an undo: what was accepted waits again.
      await replace(document, before);
      throw new Error(vscode.l10n.t('{0} is read-only in this editor: nothing was accepted.', nameOf(document.uri)));
    }
    this.decided.fire({ proposal: choice.proposal, verdict });
    const open = choice.uri ? [vscode.Uri.parse(choice.uri)] : [...this.pages.values()].map((page) => page.source);
    for (const source of open) await this.changed(source);
    return verdict;
  }

  private async proposals(source: vscode.Uri): Promise<Proposal[]> {
    const proposals = await this.connection.execute<Proposal[]>('inkwright.listProposals', { uri: source.toString() });
    this.heard.fire({ source, proposals });
    return proposals;
  }

  /** What waits, asked for only if the document is not the one any more that it was asked for. */
  private async current(source: vscode.Uri): Promise<Page> {
    const known = this.pages.get(source.toString());
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === source.toString());
    return known && document?.version === known.version ? known : this.load(source);
  }

  /** What waits, once the document shows it: places on a right side that is about to be another one would be wrong. */
  private async seen(document: vscode.TextDocument): Promise<Page> {
    for (const end = Date.now() + SHOWN_MS; ; ) {
      const page = await this.current(sourceOf(document.uri));
      if (document.uri.scheme !== PROPOSAL_SCHEME || document.getText() === page.composed.text) return page;
      if (Date.now() > end) throw new Error(vscode.l10n.t('The review is not up to date. Open it anew.'));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Asks for what waits and composes the right side from the document as it stands at that moment. */
  private async load(source: vscode.Uri): Promise<Page> {
    for (;;) {
      const document = await chapter(source);
      const version = document.version;
      const proposals = await this.proposals(source);
      if (document.version !== version) continue;
      const hunks = proposals.flatMap((proposal) => proposal.hunks.map((hunk) => ({ proposal, hunk })));
      const pieces = hunks
        .filter(({ hunk }) => !hunk.stale)
        .map(({ proposal, hunk }): Piece => ({
          proposal: proposal.id,
          index: hunk.index,
          start: document.offsetAt(new vscode.Position(hunk.range.start.line, hunk.range.start.character)),
          end: document.offsetAt(new vscode.Position(hunk.range.end.line, hunk.range.end.character)),
          before: hunk.before,
          after: hunk.after,
          findings: hunk.findings.map((finding) => finding.message),
        }));
      const page = {
        source,
        composed: compose(document.getText(), pieces),
        stale: hunks.length - pieces.length,
        waiting: hunks.length,
        version,
      };
      const known = this.pages.get(source.toString());
      this.pages.set(source.toString(), page);
      if (known && page.stale > known.stale) sayStale(page);
      this.content.fire(proposed(source));
      this.lenses.fire();
      this.loaded.fire(page);
      if (!page.composed.placed.length) await this.finish(page);
      return page;
    }
  }

  /** Nothing can be decided any more: the diff is closed, the chapter is what stays. */
  private async finish({ source, stale }: Page): Promise<void> {
    const tabs = this.tabs(source);
    if (!tabs.length) return;
    await vscode.window.tabGroups.close(tabs);
    if (!stale) vscode.window.setStatusBarMessage(vscode.l10n.t('All changes are decided.'), SAID_MS);
    await vscode.window.showTextDocument(source);
  }

  private tabs(source: vscode.Uri): vscode.Tab[] {
    const right = proposed(source).toString();
    return vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter((tab) => tab.input instanceof vscode.TabInputTextDiff && tab.input.modified.toString() === right);
  }

  private later(uri: vscode.Uri): void {
    const key = uri.toString();
    if (!this.pages.has(key)) return;
    clearTimeout(this.timers.get(key));
    this.timers.set(
      key,
      setTimeout(() => {
        this.timers.delete(key);
        // A decision that made the change has had its page made already.
        if (this.connection.running && this.pages.has(key)) this.current(uri).catch(() => undefined);
      }, SETTLE_MS),
    );
  }

  /** A chapter that is closed with its review is not asked about any more; in one that is open an undo may bring a change back. */
  private closed(uri: vscode.Uri): void {
    const source = sourceOf(uri);
    const key = source.toString();
    const open = this.isOpen(source) || vscode.workspace.textDocuments.some((one) => one.uri.toString() === key);
    if (!open) this.pages.delete(key);
  }
}

/** Whether a document shows an edit that it will never save: VS Code makes edits in an editor that is read-only, too. */
async function isPhantom(document: vscode.TextDocument): Promise<boolean> {
  if (document.isUntitled) return false;
  const saved = new TextDecoder().decode(await vscode.workspace.fs.readFile(document.uri));
  return !document.isDirty && lines(saved) !== lines(document.getText());
}

async function replace(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  await vscode.workspace.applyEdit(edit);
}

/** A text with one kind of line end: in an editor it has no other. */
function lines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** The chapter's document. Throws, in a writer's words, where its file is gone. */
async function chapter(source: vscode.Uri): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(source);
  } catch {
    throw new Error(vscode.l10n.t('{0} cannot be opened: it was renamed or deleted meanwhile.', nameOf(source)));
  }
}

function sayStale({ composed, stale }: Page): void {
  const told = composed.placed.length
    ? vscode.l10n.t('Changes that no longer fit, since their text was edited meanwhile: {0}.', stale)
    : vscode.l10n.t('No change fits any more, since the text was edited: {0}. An undo brings them back.', stale);
  vscode.window.setStatusBarMessage(told, SAID_MS);
}
