/** The settings of the section `inkwright`, as the writer set them. */

import * as vscode from 'vscode';
import { SECTION } from './protocol';

/** What the server reads; everything else in the section is the client's own. */
export const SERVER_KEYS = [
  'locale',
  'model',
  'models',
  'abilities',
  'window',
  'maxTokens',
  'maxCostPerRun',
  'maxCostPerDay',
  'currency',
  'count',
  'clocks',
  'checks',
  'hover',
  'completion',
  'codeLens',
  'chapterLens',
  'threadLens',
  'semanticTokens',
  'inlayHints',
  'links',
  'highlights',
  'folding',
  'memory',
  'trustedFolders',
] as const;

/** What decides where a manuscript goes: what a folder says of it is told apart from the writer's own word. */
const OF_MODELS: readonly string[] = ['model', 'models', 'abilities'];

/** What may be spent: a folder says so only where it is trusted. */
const OF_MONEY: readonly string[] = ['maxTokens', 'maxCostPerRun', 'maxCostPerDay', 'currency'];

/**
 * Only what somebody has set: a default of ours sent along would override the writer's own file.
 * What a folder says of models goes under `workspace`, and not at all while the folder is not trusted.
 */
export function forServer(scope?: vscode.ConfigurationScope): Record<string, unknown> {
  const section = vscode.workspace.getConfiguration(SECTION, scope);
  const out: Record<string, unknown> = {};
  const workspace: Record<string, unknown> = {};
  for (const key of SERVER_KEYS) {
    const found = section.inspect(key);
    // A book must not be able to say of itself that it is trusted.
    const unheard = key === 'trustedFolders' || (OF_MONEY.includes(key) && !vscode.workspace.isTrusted);
    const own = unheard ? undefined : (found?.workspaceFolderValue ?? found?.workspaceValue);
    const apart = OF_MODELS.includes(key);
    const value = apart ? found?.globalValue : (own ?? found?.globalValue);
    if (given(value)) out[key] = value;
    if (apart && given(own) && vscode.workspace.isTrusted) workspace[key] = own;
  }
  return Object.keys(workspace).length > 0 ? { ...out, workspace } : out;
}

function given(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

export function serverPath(): string {
  return vscode.workspace.getConfiguration(SECTION).get<string>('server.path', '').trim();
}

export function liveText(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get('liveText', true);
}

/** Whether what waits is shown in the chapter itself. */
export function inlineChanges(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get('inlineChanges', true);
}

export function openReview(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get('openReview', true);
}

export function statusBar(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get('statusBar', true);
}

/** Whether focus mode takes the editor's zen mode along. */
export function focusZen(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get('focus.zen', false);
}

/** How much is to be written, by the book's own count; 0 for no goal. `wrong` are the settings that hold no such number. */
export function goals(): { daily: number; session: number; wrong: string[] } {
  const section = vscode.workspace.getConfiguration(SECTION);
  const wrong: string[] = [];
  const goal = (key: string): number => {
    const value = section.get<unknown>(key, 0) ?? 0;
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
    wrong.push(`${SECTION}.${key}`);
    return 0;
  };
  return { daily: goal('goals.daily'), session: goal('goals.session'), wrong };
}
