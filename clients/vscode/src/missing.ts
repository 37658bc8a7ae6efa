/** What is said when the program is not there. */

import * as vscode from 'vscode';
import type { Missing } from './server';

export function missing(found: Missing): void {
  const choose = vscode.l10n.t('Choose the Program…');
  const how = vscode.l10n.t('How to Install');
  const again = vscode.l10n.t('Try Again');
  const text =
    found.tried
      ? vscode.l10n.t(
          'Inkwright: the setting inkwright.server.path names {0}, which is no program. Correct it, or leave it empty to search the PATH.',
          found.tried,
        )
      : vscode.l10n.t(
          'Inkwright: the program "inkwright" was not found. Install it with "uv tool install ." or "pipx install ." in a clone of its repository, or choose where it is.',
        );
  void vscode.window.showErrorMessage(text, how, choose, again).then((chosen) => {
    if (chosen === how) void vscode.commands.executeCommand('inkwrightClient.walkthrough');
    if (chosen === choose) void vscode.commands.executeCommand('inkwrightClient.chooseServer');
    if (chosen === again) void vscode.commands.executeCommand('inkwrightClient.restart');
  });
}
