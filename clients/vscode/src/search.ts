/** Words in the chapters, cards and memories of a book: found, listed, gone to. */

import * as vscode from 'vscode';
import { type Boxes, inTurn } from './boxes';
import type { Connection } from './client';
import { list, type Row } from './list';
import { short } from './places';
import type { Found, Hit } from './protocol';

export class Search {
  private asked = '';

  constructor(
    private readonly connection: Connection,
    private readonly memories: (uri: string, boxes: Boxes) => Promise<void>,
  ) {}

  /** `query` is what is looked for; asked for when it is not given. */
  open(uri: string, query?: string): Promise<void> {
    return inTurn((boxes) => this.openBy(boxes, uri, query));
  }

  private async openBy(boxes: Boxes, uri: string, query?: string): Promise<void> {
    const prompt = vscode.l10n.t('What is to be looked for? Several words: lines that hold all of them.');
    const asked = query ?? (await boxes.input({ prompt, value: this.asked }));
    if (!asked?.trim()) return;
    this.asked = asked;
    const found = await this.connection.execute<Found>('inkwright.search', { uri, query: asked });
    if (!found.hits.length) {
      void vscode.window.showInformationMessage(vscode.l10n.t('“{0}” is nowhere in the book.', asked));
      return;
    }
    const placeholder = found.exact
      ? vscode.l10n.t('Found: {0}', found.total)
      : vscode.l10n.t('No line holds all of it; these hold the most.');
    await list(asked, placeholder, () => Promise.resolve(found.hits.map((hit) => this.row(uri, hit))), boxes);
  }

  private row(book: string, hit: Hit): Row {
    const { uri, range } = hit;
    const where = uri ? `${hit.title} · ${hit.path}:${hit.line + 1}` : vscode.l10n.t('What Is Remembered');
    return {
      item: { label: short(around(hit), 80), description: where },
      enter: {
        label: vscode.l10n.t('Go There'),
        icon: 'go-to-file',
        asks: !uri,
        run: (boxes) => (uri ? goTo(vscode.Uri.parse(uri), range) : this.memories(book, boxes)),
      },
    };
  }
}

/** The line from shortly before the place that was found. */
function around({ text, range, kind }: Hit): string {
  const at = kind === 'memory' ? 0 : (range?.start.character ?? 0);
  const before = Array.from(text.slice(0, at));
  return before.length > 20 ? `…${before.slice(-20).join('')}${text.slice(at)}` : text;
}

async function goTo(uri: vscode.Uri, range: Hit['range']): Promise<void> {
  const selection = range
    ? new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character)
    : undefined;
  await vscode.window.showTextDocument(uri, selection ? { selection } : {});
}
