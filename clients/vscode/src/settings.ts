/** The settings of the section `inkwright`, as the writer set them. */

import * as vscode from 'vscode';
import { SECTION } from './protocol';

/** What the server reads; everything else in the section is the client's own. */
export const SERVER_KEYS = [
  'locale',
  'model',
  'models',
  'window',
  'maxTokens',
  'count',
  'clocks',
  'checks',
  'hover',
  'completion',
  'codeLens',
  'memory',
  'trustedFolders',
] as const;

/**
 * Only what somebody has set: a default of ours sent along would override the writer's own file.
 * What a folder sets that is not trusted is not among it; the editor itself leaves it out.
 */
export function forServer(scope?: vscode.ConfigurationScope): Record<string, unknown> {
  const section = vscode.workspace.getConfiguration(SECTION, scope);
  const out: Record<string, unknown> = {};
  for (const key of SERVER_KEYS) {
    const found = section.inspect(key);
    // A book must not be able to say of itself that it is trusted.
    const own = key === 'trustedFolders' ? undefined : (found?.workspaceFolderValue ?? found?.workspaceValue);
    const value = own ?? found?.globalValue;
    if (value !== undefined && value !== null && value !== '') out[key] = value;
  }
  return out;
}

export function serverPath(): string {
  return vscode.workspace.getConfiguration(SECTION).get<string>('server.path', '').trim();
}

export function liveText(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get('liveText', true);
}

export function openReview(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get('openReview', true);
}
