/** Choosing what is to be done, and with what words. */

import * as vscode from 'vscode';
import { list, type Row, separator } from './list';
import type { Profile } from './protocol';

/** Lists the abilities, the one-turn actions behind them; `enter` and `look` are what can be done with one. */
export async function listAbilities(
  load: () => Promise<Profile[]>,
  enter: (profile: Profile) => Promise<unknown>,
  look?: (profile: Profile) => Promise<unknown>,
  more: Row[] = [],
): Promise<void> {
  const title = vscode.l10n.t('What is to be done?');
  await list(title, '', async () => {
    const all = await load();
    const toolbox = all.filter((profile) => profile.mode === 'single');
    const row = (profile: Profile): Row => ({
      item: { label: profile.label, description: profile.id, detail: profile.description },
      enter: { label: profile.label, icon: 'play', run: () => enter(profile) },
      ...(look
        ? { acts: [{ label: vscode.l10n.t('What the Model Would See'), icon: 'eye', run: () => look(profile) }] }
        : {}),
    });
    return [
      ...all.filter((profile) => profile.mode !== 'single').map(row),
      ...more,
      ...(toolbox.length ? [separator(vscode.l10n.t('In one go'))] : []),
      ...toolbox.map(row),
    ];
  });
}

/** A quick action's message, the writer's own words, or '' for none; undefined when dismissed. */
export async function pickMessage(profile: Profile): Promise<string | undefined> {
  const own = { label: vscode.l10n.t('In your own words…'), message: undefined };
  const plain = { label: profile.label, description: vscode.l10n.t('without further words'), message: '' };
  const quick = profile.quickActions.map(({ label, message }) => ({ label, detail: message, message }));
  const chosen = await vscode.window.showQuickPick([plain, ...quick, own], { placeHolder: profile.label });
  if (!chosen) return undefined;
  return chosen.message ?? vscode.window.showInputBox({ prompt: vscode.l10n.t('What should it look to?') });
}

/** A rewrite in one go is about a passage. */
export function needsSelection(profile: Profile): boolean {
  return profile.mode === 'single' && profile.scope === 'selection' && profile.output === 'edit';
}
