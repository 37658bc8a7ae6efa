/**
 * Boxes and lists that follow each other.
 *
 * One that closes gives the keyboard back to what had it before, and a webview takes it a moment late: over the box
 * that is open by then. So one that was answered stands until the next is shown in its place, or the last is closed.
 */

import * as vscode from 'vscode';

export interface Question {
  title?: string;
  prompt: string;
  value?: string;
  valueSelection?: [number, number];
  placeHolder?: string;
  password?: boolean;
  ignoreFocusOut?: boolean;
  /** What was wrong with the answer before; it is said until another one is typed. */
  trouble?: string | undefined;
  validateInput?: (text: string) => string | vscode.InputBoxValidationMessage | undefined;
}

export interface Choosing {
  title?: string;
  placeHolder: string;
  matchOnDescription?: boolean;
}

export class Boxes {
  private standing: vscode.QuickInput | undefined;
  /** Whether the writer closed one that stood: then nothing more is asked. */
  private left = false;

  /** Shows one in place of what stands, until `listen` has an answer. Undefined: the writer left. */
  show<T>(quick: vscode.QuickInput, listen: (answer: (value: T) => void) => void): Promise<T | undefined> {
    if (this.left) {
      quick.dispose();
      return Promise.resolve(undefined);
    }
    const before = this.standing;
    this.standing = quick;
    const answer = new Promise<T | undefined>((resolve) => {
      let answered = false;
      listen((value) => {
        answered = true;
        quick.busy = true;
        quick.ignoreFocusOut = true;
        resolve(value);
      });
      quick.onDidHide(() => {
        resolve(undefined);
        if (this.standing !== quick) return;
        this.standing = undefined;
        this.left = answered;
        quick.dispose();
      });
    });
    quick.show();
    before?.dispose();
    return answer;
  }

  input(question: Question): Promise<string | undefined> {
    const { title, prompt, value = '', valueSelection, placeHolder, password = false, trouble, validateInput } = question;
    const box = vscode.window.createInputBox();
    Object.assign(box, { title, prompt, value, valueSelection, placeholder: placeHolder, password, validationMessage: trouble });
    box.ignoreFocusOut = question.ignoreFocusOut ?? this.standing !== undefined;
    return this.show<string>(box, (answer) => {
      const check = (): boolean => {
        const told = validateInput?.(box.value);
        box.validationMessage = told;
        return !told || (typeof told !== 'string' && told.severity < vscode.InputBoxValidationSeverity.Error);
      };
      box.onDidChangeValue(check);
      box.onDidAccept(() => {
        if (check()) answer(box.value);
      });
    });
  }

  /** One of these. What is still on its way is waited for in the open list. */
  async pick<T extends vscode.QuickPickItem>(items: readonly T[] | Promise<readonly T[]>, choosing: Choosing): Promise<T | undefined> {
    const { title, placeHolder, matchOnDescription = false } = choosing;
    const list = vscode.window.createQuickPick<T>();
    Object.assign(list, { title, placeholder: placeHolder, matchOnDescription, busy: true, ignoreFocusOut: this.standing !== undefined });
    const chosen = this.show<T>(list, (answer) => {
      list.onDidAccept(() => {
        const [first] = list.selectedItems;
        if (first) answer(first);
      });
    });
    list.items = await items;
    list.busy = false;
    return chosen;
  }

  close(): void {
    const last = this.standing;
    this.standing = undefined;
    last?.dispose();
  }
}

/** Boxes for one piece of work, at whose end the last one closes. */
export async function inTurn<T>(work: (boxes: Boxes) => Promise<T>): Promise<T> {
  const boxes = new Boxes();
  try {
    return await work(boxes);
  } finally {
    boxes.close();
  }
}
