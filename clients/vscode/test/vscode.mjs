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
export const window = { createTreeView: () => ({ visible: true }) };
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
