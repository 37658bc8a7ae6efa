/** What is said when something is wrong with the server, with what helps one click away. */

import * as vscode from 'vscode';
import type { Tell } from './client';
import type { Missing } from './server';

/** The program's own name, its version and the extension's are not ours to translate. */
export function trouble(version: string): Tell & { found(): void } {
  const told = new Set<string>();
  /** How many messages that there is no program were not answered yet. */
  let missing = 0;
  return {
    missing: (found) => {
      missing += 1;
      void offer(absent(found), [install(), choose(), again()]).then(() => (missing = Math.max(0, missing - 1)));
    },
    // A message cannot be taken back by itself: all go into the list of those that were seen.
    found: () => {
      if (missing) void vscode.commands.executeCommand('notifications.hideToasts');
      missing = 0;
    },
    failed: () => void offer(vscode.l10n.t('Inkwright: the server did not start. The log says why.'), [log(), again()]),
    crashed: () =>
      void offer(
        vscode.l10n.t('Inkwright: the server ended four times in three minutes and is left alone. Your files are as they were.'),
        [log(), again()],
      ),
    misfit: (how, server, program) => {
      // Once for a pair of versions: each start would say the same.
      if (told.has(`${how} ${server}`)) return;
      told.add(`${how} ${server}`);
      if (how === 'newer') {
        const text = vscode.l10n.t(
          'Inkwright: the program ({0}) is newer than this extension ({1}). Install the extension that came with it: "npm run package" in its clients/vscode, then Install from VSIX.',
          server,
          version,
        );
        void offer(text, [extensions(), choose()]);
        return;
      }
      const text =
        how === 'older'
          ? vscode.l10n.t(
              'Inkwright: the program ({0}) is older than this extension ({1}), and parts of it will not work. Bring it up to date: "uv tool install --reinstall ." in a clone of its repository.',
              server,
              version,
            )
          : vscode.l10n.t(
              'Inkwright: {0} does not say which version it is. Is it the right program? This extension is {1}.',
              program,
              version,
            );
      void offer(text, [install(), choose()]);
    },
  };
}

/** Something was asked for that needs the server. */
export function notRunning(message: string): Promise<void> {
  return offer(`Inkwright: ${message}`, [again(), log()]);
}

interface Help {
  label: string;
  command: string;
  argument?: unknown;
}

async function offer(text: string, helps: Help[]): Promise<void> {
  const chosen = await vscode.window.showErrorMessage(text, ...helps.map((one) => one.label));
  const help = helps.find((one) => one.label === chosen);
  if (help) void vscode.commands.executeCommand(help.command, help.argument);
}

function absent({ tried }: Missing): string {
  return tried
    ? vscode.l10n.t(
        'Inkwright: the setting inkwright.server.path names {0}, which is no program. Correct it, or leave it empty to search the PATH.',
        tried,
      )
    : vscode.l10n.t(
        'Inkwright: the program "inkwright" was not found. Install it with "uv tool install ." or "pipx install ." in a clone of its repository, then restart VS Code, which knows only the PATH that it was started with; or choose where it is.',
      );
}

const install = (): Help => ({ label: vscode.l10n.t('How to Install'), command: 'inkwrightClient.walkthrough' });
const choose = (): Help => ({ label: vscode.l10n.t('Choose the Program…'), command: 'inkwrightClient.chooseServer' });
const again = (): Help => ({ label: vscode.l10n.t('Try Again'), command: 'inkwrightClient.restart' });
const log = (): Help => ({ label: vscode.l10n.t('Show the Log'), command: 'inkwrightClient.showLog' });
const extensions = (): Help => ({
  label: vscode.l10n.t('Install from VSIX…'),
  command: 'workbench.extensions.action.installVSIX',
});
