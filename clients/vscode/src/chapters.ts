/** The book in the side bar: volumes and chapters with their counts, in reading order. */

import * as vscode from 'vscode';
import type { Connection } from './client';
import type { Book, Stats } from './protocol';
import { why } from './said';
import type { Node } from './tree';

const MIME = 'application/vnd.code.tree.inkwright.book';

export class Chapters implements vscode.TreeDragAndDropController<Node> {
  readonly dragMimeTypes = [MIME];
  readonly dropMimeTypes = [MIME];

  constructor(
    private readonly connection: Connection,
    private readonly pipeline: (uri: string) => unknown,
    private readonly refresh: () => void,
  ) {}

  /** The rows of the book that `uri` is in. */
  async rows(uri: string): Promise<Node[]> {
    const [{ book, chapters, owned }, stats] = await Promise.all([
      this.connection.execute<Book>('inkwright.getBook', { uri }),
      this.connection.execute<Stats>('inkwright.stats', { uri }),
    ]);
    void vscode.commands.executeCommand('setContext', 'inkwright.owned', owned);
    const root = vscode.Uri.file(book.root);
    const today = new Map(stats.chapters.map((one) => [one.path, one.today[stats.rule]]));
    const out: Node[] = [];
    let volume: { node: Node; name: string; count: number } | undefined;
    for (const chapter of chapters) {
      const count = chapter.counts[stats.rule];
      const file = vscode.Uri.joinPath(root, chapter.path);
      const node: Node = {
        label: chapter.title || chapter.path,
        description: described(count, today.get(chapter.path) ?? 0, chapter.status),
        // In a narrow bar the title alone may be left.
        tooltip: [chapter.title, described(count, today.get(chapter.path) ?? 0, chapter.status), chapter.path].join('\n'),
        icon: ICONS[chapter.status ?? ''] ?? 'book',
        file,
        drag: file.toString(),
        acts: { pipeline: () => this.pipeline(file.toString()) },
      };
      if (!chapter.volume) {
        volume = undefined;
        out.push(node);
        continue;
      }
      if (volume?.name !== chapter.volume) {
        const made: Node = { label: chapter.volume, icon: 'folder', children: [], open: true };
        volume = { node: made, name: chapter.volume, count: 0 };
        out.push(made);
      }
      volume.count += count;
      volume.node.description = volume.count.toLocaleString(vscode.env.language);
      volume.node.children?.push(node);
    }
    return out;
  }

  handleDrag(nodes: readonly Node[], data: vscode.DataTransfer): void {
    const uri = nodes[0]?.drag;
    if (uri) data.set(MIME, new vscode.DataTransferItem(uri));
  }

  /** The chapter goes behind the one it was dropped on; beside them all, to the end. */
  async handleDrop(target: Node | undefined, data: vscode.DataTransfer): Promise<void> {
    const uri: unknown = data.get(MIME)?.value;
    if (typeof uri !== 'string' || uri === target?.drag) return;
    const first = target?.children?.[0]?.drag;
    const place = target?.drag ? { after: target.drag } : first ? { before: first } : {};
    try {
      await this.connection.execute('inkwright.moveChapter', { uri, ...place });
    } catch (error) {
      void vscode.window.showWarningMessage(`Inkwright: ${why(error)}`);
    }
    this.refresh();
  }
}

/** What shows how far a chapter is where the word for it finds no room. */
const ICONS: Record<string, string> = { draft: 'edit', revised: 'checklist', done: 'pass' };

function described(count: number, today: number, status: string | undefined): string {
  const number = (value: number): string => value.toLocaleString(vscode.env.language);
  const written = today > 0 ? ` +${number(today)}` : '';
  return [`${number(count)}${written}`, status && statusName(status)].filter(Boolean).join(' · ');
}

/** A word of the writer's own stays as it is. */
function statusName(status: string): string {
  const names: Record<string, string> = {
    draft: vscode.l10n.t('draft'),
    revised: vscode.l10n.t('revised'),
    done: vscode.l10n.t('done'),
  };
  return names[status] ?? status;
}
