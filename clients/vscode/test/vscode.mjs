// As much of the editor as a module of src/ needs to be loaded without one.
export const workspace = {
  isTrusted: true,
  /** What somebody has set, by key: {globalValue, workspaceValue, workspaceFolderValue}. */
  given: {},
  getConfiguration: () => ({
    get: (key, other) => workspace.given[key]?.globalValue ?? other,
    inspect: (key) => ({ key, defaultValue: 'a default', ...workspace.given[key] }),
  }),
};

export class EventEmitter {
  heard = [];
  event = (listener) => void this.heard.push(listener);
  fire = (value) => this.heard.forEach((listener) => listener(value));
}
/** One box or list; what happens to each is kept in `window.happened`. */
class Box {
  accept = new EventEmitter();
  change = new EventEmitter();
  button = new EventEmitter();
  hidden = new EventEmitter();
  value = '';
  items = [];
  selectedItems = [];
  onDidAccept = this.accept.event;
  onDidChangeValue = this.change.event;
  onDidTriggerItemButton = this.button.event;
  onDidHide = this.hidden.event;
  show() {
    window.happened.push(`show ${this.prompt ?? this.placeholder}`);
    // One is shown in the other's place, and the other is told.
    window.front?.hidden.fire();
    window.front = this;
    const given = window.answers?.(this);
    if (given === undefined) return;
    this.value = given;
    this.accept.fire();
  }
  hide() {
    if (window.front !== this) return;
    window.front = undefined;
    window.happened.push(`hide ${this.prompt ?? this.placeholder}`);
    this.hidden.fire();
  }
  dispose() {
    if (this.disposed) return;
    this.disposed = true;
    this.hide();
  }
}
export const window = {
  happened: [],
  createTreeView: () => ({ visible: true }),
  createInputBox: () => new Box(),
  createQuickPick: () => new Box(),
};
export const InputBoxValidationSeverity = { Info: 1, Warning: 2, Error: 3 };
export const commands = { executeCommand: () => Promise.resolve() };

export const l10n = { t: (text, ...values) => text.replace(/\{(\d)\}/g, (_, at) => String(values[at])) };

export class Uri {
  constructor(text) {
    const { pathname, protocol, hash } = new URL(text);
    Object.assign(this, { text, path: decodeURIComponent(pathname), scheme: protocol.slice(0, -1), fragment: decodeURIComponent(hash.slice(1)) });
  }
  static parse = (text) => new Uri(new URL(text).href);
  static joinPath = (base, ...parts) => Uri.parse([base.text, ...parts].join('/'));
  toString = () => this.text;
}
