/** What is remembered for a book: seen, added, edited, pinned and deleted. */

import * as vscode from 'vscode';
import { type Boxes, inTurn } from './boxes';
import type { Connection } from './client';
import { type Act, list, row, type Row } from './list';
import { short } from './places';
import type { Memories as Page, Memory } from './protocol';
import { oneLine, why } from './said';

const PAGE = 200;

export class Memories {
  constructor(private readonly connection: Connection) {}

  async open(uri: string, boxes?: Boxes): Promise<void> {
    let shown = PAGE;
    const title = vscode.l10n.t('What Is Remembered');
    const placeholder = vscode.l10n.t('It goes along with later runs where it matters; what is pinned always does.');
    await list(title, placeholder, () => this.rows(uri, shown, () => (shown += PAGE)), boxes);
  }

  add(uri: string): Promise<void> {
    return inTurn((boxes) => this.addBy(boxes, uri));
  }

  private async addBy(boxes: Boxes, uri: string): Promise<void> {
    const content = await boxes.input({
      prompt: vscode.l10n.t('What is to be remembered?'),
      ignoreFocusOut: true,
    });
    if (!content?.trim()) return;
    const kind = await boxes.pick(types(), { placeHolder: content });
    if (kind) await this.connection.execute('inkwright.addMemory', { uri, content, type: kind.type });
  }

  edit(uri: string, memory: Memory): Promise<void> {
    return inTurn((boxes) => this.editBy(boxes, uri, memory));
  }

  private async editBy(boxes: Boxes, uri: string, memory: Memory): Promise<void> {
    const shown = oneLine(memory.content);
    const content = await boxes.input({
      prompt: vscode.l10n.t('What is to be remembered?'),
      value: shown,
      ignoreFocusOut: true,
    });
    if (content?.trim() && content !== shown) await this.update(uri, memory, { content });
  }

  /** Changes the memory as it was shown; one that was changed elsewhere meanwhile stays, and it is said. */
  update(uri: string, memory: Memory, change: { content?: string; pinned?: boolean }): Promise<boolean> {
    const { id, revision } = memory;
    return this.tried(this.connection.execute('inkwright.updateMemory', { uri, id, revision, ...change }));
  }

  delete(uri: string, memory: Memory): Promise<boolean> {
    const { id, revision } = memory;
    return this.tried(this.connection.execute('inkwright.deleteMemory', { uri, id, revision }));
  }

  /** Asks before it forgets everything. */
  async clear(uri: string): Promise<void> {
    const clear = vscode.l10n.t('Forget Everything');
    const sure = await vscode.window.showWarningMessage(
      vscode.l10n.t('Forget everything that is remembered for this book?'),
      { modal: true, detail: vscode.l10n.t('What is pinned is forgotten too. This cannot be undone.') },
      clear,
    );
    if (sure === clear) await this.connection.execute('inkwright.clearMemories', { uri });
  }

  private async tried(change: Promise<unknown>): Promise<boolean> {
    try {
      await change;
      return true;
    } catch (error) {
      const code = (error as { data?: { code?: string } }).data?.code;
      if (!(error instanceof Error) || (code !== 'revision_conflict' && code !== 'memory_unknown')) throw error;
      void vscode.window.showWarningMessage(why(error));
      return false;
    }
  }

  private async rows(uri: string, most: number, more: () => void): Promise<Row[]> {
    const { memories, left } = await this.all(uri, most);
    const add: Act = { label: vscode.l10n.t('Add…'), icon: 'add', again: true, run: (boxes) => this.addBy(boxes, uri) };
    const older: Act = { label: vscode.l10n.t('Older Ones…'), icon: 'ellipsis', again: true, run: more };
    const clear: Act = {
      label: vscode.l10n.t('Forget Everything…'),
      icon: 'clear-all',
      again: true,
      run: () => this.clear(uri),
    };
    if (!memories.length) return [{ item: { label: vscode.l10n.t('Nothing is remembered yet.') } }, row(add)];
    return [
      ...memories.map((memory) => ({
        item: {
          label: `${memory.pinned ? '$(pinned) ' : ''}${short(memory.content, 120)}`,
          description: [typeName(memory.type), memory.ability].filter(Boolean).join(' · '),
        },
        acts: this.acts(uri, memory),
      })),
      ...(left ? [row(older)] : []),
      row(add),
      row(clear),
    ];
  }

  /** At least the newest `most` of them, where there are as many; `left`: there are more. */
  async all(uri: string, most: number): Promise<{ memories: Memory[]; left: boolean }> {
    const memories: Memory[] = [];
    let cursor: string | null = null;
    do {
      const argument = { uri, limit: PAGE, ...(cursor ? { cursor } : {}) };
      const page: Page = await this.connection.execute<Page>('inkwright.listMemories', argument);
      memories.push(...page.memories);
      cursor = page.next;
    } while (cursor && memories.length < most);
    return { memories, left: cursor !== null };
  }

  private acts(uri: string, memory: Memory): Act[] {
    const pin = memory.pinned
      ? { label: vscode.l10n.t('Unpin'), icon: 'pinned' }
      : { label: vscode.l10n.t('Pin'), icon: 'pin' };
    return [
      { label: vscode.l10n.t('Edit…'), icon: 'edit', again: true, run: (boxes) => this.editBy(boxes, uri, memory) },
      { ...pin, again: true, run: () => this.update(uri, memory, { pinned: !memory.pinned }) },
      { label: vscode.l10n.t('Delete'), icon: 'trash', again: true, run: () => this.delete(uri, memory) },
    ];
  }
}

function types(): { label: string; type: Memory['type'] }[] {
  return (['preference', 'decision', 'lesson'] as const).map((type) => ({ label: typeName(type), type }));
}

export function typeName(type: Memory['type']): string {
  switch (type) {
    case 'preference':
      return vscode.l10n.t('Preference');
    case 'decision':
      return vscode.l10n.t('Decision');
    case 'lesson':
      return vscode.l10n.t('Lesson');
  }
}
