/** Lists of things that something can be done with: by the buttons of a row, or by Enter and a second choice. */

import * as vscode from 'vscode';
import { Boxes } from './boxes';

export interface Act {
  label: string;
  /** A codicon's name. */
  icon: string;
  /** Whether the list is shown again behind it. */
  again?: boolean;
  /** Whether `run` asks something first, in the list's place. */
  asks?: boolean;
  run(boxes: Boxes): unknown;
}

export interface Row {
  item: vscode.QuickPickItem;
  acts?: Act[];
  /** What Enter does at once; without it Enter asks which of `acts`. */
  enter?: Act;
}

/** Shows what `load` gives until the writer leaves or an act leads elsewhere. `load` is asked anew each time. */
export async function list(title: string, placeholder: string, load: () => Promise<Row[]>, boxes = new Boxes()): Promise<void> {
  try {
    for (;;) {
      const act = await choose(boxes, title, placeholder, await load());
      if (!act) return;
      if (!act.again && !act.asks) boxes.close();
      await act.run(boxes);
      if (!act.again) return;
    }
  } finally {
    boxes.close();
  }
}

/** A row for something that is about no single thing in the list. */
export function row(act: Act): Row {
  return { item: { label: `$(${act.icon}) ${act.label}`, alwaysShow: true }, enter: act };
}

export function separator(label: string): Row {
  return { item: { label, kind: vscode.QuickPickItemKind.Separator } };
}

async function choose(boxes: Boxes, title: string, placeholder: string, rows: readonly Row[]): Promise<Act | undefined> {
  for (;;) {
    const chosen = await pick(boxes, title, placeholder, rows);
    if (!chosen || 'run' in chosen) return chosen;
    if (chosen.enter ?? !chosen.acts) return chosen.enter;
    const acts = chosen.acts.map((act) => ({ label: `$(${act.icon}) ${act.label}`, act }));
    const second = await boxes.pick(acts, { title: chosen.item.label, placeHolder: '' });
    if (second) return second.act;
  }
}

/** The act whose button was pressed, or the row that was taken. */
function pick(boxes: Boxes, title: string, placeholder: string, rows: readonly Row[]): Promise<Act | Row | undefined> {
  const quick = vscode.window.createQuickPick<vscode.QuickPickItem & { row: Row }>();
  quick.title = title;
  quick.placeholder = placeholder;
  quick.matchOnDescription = true;
  quick.matchOnDetail = true;
  quick.items = rows.map((one) => ({
    ...one.item,
    row: one,
    buttons: (one.acts ?? []).map((act) => ({ iconPath: new vscode.ThemeIcon(act.icon), tooltip: act.label, act })),
  }));
  return boxes.show<Act | Row | undefined>(quick, (answer) => {
    quick.onDidTriggerItemButton(({ item, button }) => answer(item.row.acts?.find((act) => act.label === button.tooltip)));
    quick.onDidAccept(() => answer(quick.selectedItems[0]?.row));
  });
}
