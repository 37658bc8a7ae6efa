/** A view of the side bar: rows that are loaded when they are seen, and what can be done with one of them. */

import * as vscode from 'vscode';
import type { RowAct } from './rowActs';
import { why } from './said';

export interface Node {
  label: string;
  description?: string;
  tooltip?: string;
  /** A codicon's name. */
  icon?: string;
  /** The file that a click opens. */
  file?: vscode.Uri;
  /** Where in the file. */
  line?: number;
  /** What a click does where it opens no file. */
  click?: RowAct | 'live';
  acts?: Partial<Record<RowAct, () => unknown>>;
  /** What the acts know of: where it is another, they are others. */
  of?: unknown;
  children?: Node[];
  /** Whether the children are in sight from the beginning. */
  open?: boolean;
  /** What a chapter is called when it is dragged. */
  drag?: string;
}

export class Tree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  readonly view: vscode.TreeView<Node>;
  /** The rows that the editor has, as a text. */
  private given: string | undefined;
  /** The rows that it is about to ask for. */
  private fresh: Node[] | undefined;
  private turn = 0;
  private asked = 0;

  /** `load` gives the rows, undefined while they cannot be known; what it throws is shown as a row. */
  constructor(
    readonly id: string,
    private readonly load: () => Promise<Node[] | undefined>,
    dragAndDropController?: vscode.TreeDragAndDropController<Node>,
  ) {
    this.view = vscode.window.createTreeView(id, {
      treeDataProvider: this,
      ...(dragAndDropController ? { dragAndDropController } : {}),
    });
  }

  /** Until there are rows anew, the view does not say that there are none. */
  forget(): void {
    this.none(false);
  }

  /**
   * Loads the rows anew. From when the editor hears that there are others until it has them, a button that is pressed
   * does nothing and a row that is dragged falls: it hears it once they are there, and only if they are others.
   */
  async refresh(): Promise<void> {
    this.turn += 1;
    this.fresh = undefined;
    if (this.view.visible) {
      const mine = this.turn;
      const rows = await this.rows();
      if (mine !== this.turn || text(rows) === this.given) return;
      this.fresh = rows;
    }
    this.changed.fire(undefined);
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node) return node.children ?? [];
    this.asked += 1;
    const mine = this.asked;
    const rows = this.fresh ?? (await this.rows());
    this.fresh = undefined;
    // Of two answers the editor takes that to its last question.
    if (mine === this.asked) this.given = text(rows);
    return rows;
  }

  private async rows(): Promise<Node[]> {
    try {
      const rows = await this.load();
      if (rows) this.none(!rows.length);
      return rows ?? [];
    } catch (error) {
      return [{ label: why(error), icon: 'warning', tooltip: why(error) }];
    }
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const state = node.children
      ? node.open
        ? vscode.TreeItemCollapsibleState.Expanded
        : vscode.TreeItemCollapsibleState.Collapsed
      : vscode.TreeItemCollapsibleState.None;
    const item = new vscode.TreeItem(node.label, state);
    item.description = node.description ?? '';
    item.tooltip = node.tooltip ?? node.label;
    if (node.icon) item.iconPath = new vscode.ThemeIcon(node.icon);
    const acts = Object.keys(node.acts ?? {});
    if (acts.length) item.contextValue = ` ${acts.join(' ')} `;
    if (node.file) {
      const at = new vscode.Position(node.line ?? 0, 0);
      const options: vscode.TextDocumentShowOptions = node.line === undefined ? {} : { selection: new vscode.Range(at, at) };
      item.command = { command: 'vscode.open', title: '', arguments: [node.file, options] };
    } else if (node.click === 'live') {
      item.command = { command: 'inkwrightClient.showLive', title: '' };
    } else if (node.click) {
      item.command = { command: `inkwrightClient.row.${node.click}`, title: '', arguments: [node] };
    }
    return item;
  }

  /** Rows come a moment later than this: only that there are none must be known before. */
  private none(none: boolean): void {
    void vscode.commands.executeCommand('setContext', `${this.id}.empty`, none);
  }

  dispose(): void {
    this.view.dispose();
    this.changed.dispose();
  }
}

/** All that rows show and do. */
function text(rows: Node[]): string {
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'function' ? 'act' : value));
}
