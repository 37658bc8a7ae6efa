/** What stands at each hunk on the right side of a review: its lenses, and the same two decisions in the lightbulb. */

import * as vscode from 'vscode';
import type { Composed } from './hunks';
import { short } from './places';
import type { Page } from './review';

/** Characters of what the guard found that a lens shows. */
const FINDING = 40;

/** Which hunks: of one proposal, by their indices. */
export interface Choice {
  uri: string;
  proposal: string;
  hunks: number[];
}

/** The lenses over `document`, which shows what is composed. */
export function lenses(document: vscode.TextDocument, source: vscode.Uri, { composed: { placed }, stale, waiting }: Page): vscode.CodeLens[] {
  const uri = source.toString();
  const out: vscode.CodeLens[] = [];
  const lens = (where: vscode.Range, title: string, command: string, argument?: Choice, tooltip?: string): void => {
    const told = { title, command, arguments: argument ? [argument] : [source], ...(tooltip ? { tooltip } : {}) };
    out.push(new vscode.CodeLens(where, told));
  };
  const top = new vscode.Range(0, 0, 0, 0);
  const sound = placed.filter(({ piece }) => !piece.findings.length).length;
  if (sound) lens(top, vscode.l10n.t('✓ Accept all ({0})', sound), 'inkwrightClient.acceptAll');
  lens(top, vscode.l10n.t('✗ Reject all ({0})', waiting), 'inkwrightClient.rejectAll');
  if (stale) lens(top, vscode.l10n.t('{0} no longer fit: their text was edited', stale), '');
  const lines = placed.map(({ start }) => document.positionAt(start).line);
  for (const [number, { piece, start, end }] of placed.entries()) {
    const where = new vscode.Range(document.positionAt(start), document.positionAt(end));
    const choice = { uri, proposal: piece.proposal, hunks: [piece.index] };
    // Several on one line stand in one row of lenses: each then says which it is.
    const alone = lines.filter((line) => line === lines[number]).length === 1;
    const which = short(piece.after || piece.before, 6);
    const accept = alone ? vscode.l10n.t('✓ Accept') : vscode.l10n.t('✓ Accept “{0}”', which);
    lens(where, accept, 'inkwrightClient.acceptHunk', choice);
    lens(where, vscode.l10n.t('✗ Reject'), 'inkwrightClient.rejectHunk', choice);
    // A row of lenses stands in the order of its places: what is read stays behind all that is clicked.
    const { end: last } = document.lineAt(where.start.line).range;
    for (const finding of piece.findings) {
      // A row ends at the edge of the editor without a sign of it: the tooltip has it whole.
      const said = short(finding, FINDING);
      lens(new vscode.Range(last, last), alone ? `⚠ ${said}` : `⚠ “${which}” ${said}`, '', choice, finding);
    }
  }
  return out;
}

/** The two decisions on each hunk that the lines of a range touch. */
export function actions(document: vscode.TextDocument, range: vscode.Range, source: vscode.Uri, { placed }: Composed): vscode.CodeAction[] {
  const first = document.offsetAt(document.lineAt(range.start.line).range.start);
  const last = document.offsetAt(document.lineAt(range.end.line).range.end);
  return placed
    .filter((one) => one.start <= last && one.end >= first)
    .flatMap(({ piece }) => {
      const argument = { uri: source.toString(), proposal: piece.proposal, hunks: [piece.index] };
      const shown = short(piece.after, 30);
      return [
        action(vscode.l10n.t('Accept: {0}', shown), 'inkwrightClient.acceptHunk', argument),
        action(vscode.l10n.t('Reject: {0}', shown), 'inkwrightClient.rejectHunk', argument),
      ];
    });
}

function action(title: string, command: string, argument: Choice): vscode.CodeAction {
  const out = new vscode.CodeAction(title, vscode.CodeActionKind.RefactorRewrite);
  out.command = { title, command, arguments: [argument] };
  return out;
}
