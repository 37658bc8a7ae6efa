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
