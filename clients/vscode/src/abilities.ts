/** Choosing what is to be done, and with what words. */

import * as vscode from 'vscode';
import type { Boxes } from './boxes';
import type { Connection } from './client';
import { list, type Row, separator } from './list';
import type { CreatedProfile, Profile } from './protocol';
import { unlinked } from './said';

/** Icons of profiles as the editor has them; another one is shown as the fallback. */
const ICONS: Record<string, string> = {
  'arrow-down-to-line': 'arrow-down',
  'book-open': 'book',
  ear: 'unmute',
  expand: 'unfold',
  'file-text': 'file-text',
  'graduation-cap': 'mortar-board',
  heading: 'text-size',
  'list-checks': 'checklist',
  'message-square-quote': 'comment-discussion',
  'notebook-pen': 'notebook',
  palette: 'symbol-color',
  'pen-tool': 'edit',
  scissors: 'fold',
  search: 'search',
  shrink: 'fold',
  sparkles: 'sparkle',
  tag: 'tag',
};

const LAST = 'inkwright.lastAbility';

/** The ability that was taken last in this workspace. */
export class Last {
  constructor(private readonly memory: vscode.Memento) {}

  async set(id: string): Promise<void> {
    await this.memory.update(LAST, id);
  }

  /** The one that is still offered; a profile can be gone by now. */
  among(profiles: readonly Profile[]): Profile | undefined {
    const id = this.memory.get<string>(LAST);
    return profiles.find((profile) => profile.id === id);
  }
}

export function iconOf({ icon }: Pick<Profile, 'icon'>): string {
  return ICONS[icon] ?? 'symbol-event';
}

/** Makes the file of an ability of the writer's own and opens it; the server writes it and says what is wrong in it. */
export async function createAbility(connection: Connection, uri: string): Promise<void> {
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('New Ability'),
    prompt: vscode.l10n.t('What is it called? For instance: Dialogue Doctor'),
    validateInput: (value) => (value.trim() ? undefined : vscode.l10n.t('It needs a name.')),
    ignoreFocusOut: true,
  });
  if (!name?.trim()) return;
  const made = await connection.execute<CreatedProfile>('inkwright.createProfile', { uri, name: name.trim() });
  await vscode.window.showTextDocument(vscode.Uri.parse(made.uri));
  if (made.message) void vscode.window.showInformationMessage(unlinked(made.message));
}

/** Its id, which can be typed in any language; where the label says it already it would be said twice. */
export function shownId({ id, label }: Pick<Profile, 'id' | 'label'>): string {
  const name = label.toLowerCase();
  return id.split(/[-_.]/).every((part) => name.includes(part.toLowerCase())) ? '' : id;
}

/** Lists the abilities, the one-turn actions behind them; `enter` and `look` are what can be done with one. */
export async function listAbilities(
  title: string,
  load: () => Promise<Profile[]>,
  enter: (profile: Profile, boxes: Boxes) => Promise<unknown>,
  look?: (profile: Profile) => Promise<unknown>,
  more: Row[] = [],
  last?: Last,
): Promise<void> {
  await list(title, '', async () => {
    const all = await load();
    const toolbox = all.filter((profile) => profile.mode === 'single');
    const before = last?.among(all);
    const row = (profile: Profile): Row => ({
      item: {
        label: profile.label,
        description: shownId(profile),
        detail: profile.description,
        iconPath: new vscode.ThemeIcon(iconOf(profile)),
      },
      enter: { label: profile.label, icon: 'play', asks: true, run: (boxes) => enter(profile, boxes) },
      ...(look
        ? { acts: [{ label: vscode.l10n.t('What the Model Would See'), icon: 'eye', run: () => look(profile) }] }
        : {}),
    });
    return [
      ...(before ? [separator(vscode.l10n.t('Last time')), row(before), separator(vscode.l10n.t('Abilities'))] : []),
      ...all.filter((profile) => profile.mode !== 'single' && profile !== before).map(row),
      ...more,
      ...(toolbox.length ? [separator(vscode.l10n.t('In one go'))] : []),
      ...toolbox.filter((profile) => profile !== before).map(row),
    ];
  });
}

/** A quick action's message, the writer's own words, or '' for none; undefined when dismissed. */
export async function pickMessage(profile: Profile, boxes: Boxes): Promise<string | undefined> {
  const own = { label: vscode.l10n.t('In your own words…'), message: undefined };
  const plain = { label: profile.label, description: vscode.l10n.t('without further words'), message: '' };
  const quick = profile.quickActions.map(({ label, message }) => ({ label, detail: message, message }));
  const chosen = await boxes.pick([plain, ...quick, own], { placeHolder: profile.label });
  if (!chosen) return undefined;
  return chosen.message ?? boxes.input({ prompt: vscode.l10n.t('What should it look to?') });
}

/** A rewrite in one go is about a passage. */
export function needsSelection(profile: Profile): boolean {
  return profile.mode === 'single' && profile.scope === 'selection' && profile.output === 'edit';
}
