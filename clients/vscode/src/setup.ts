/** Setting up a model: which vendor, its key into the editor's own store, and whether it works. */

import * as vscode from 'vscode';
import type { Connection } from './client';
import type { Keys } from './keys';
import { SECTION, type LocalServer, type Model, type Trial, type Vendor } from './protocol';
import { unlinked, why } from './said';

type Choice = vscode.QuickPickItem & ({ vendor: Vendor } | { server: LocalServer; model: string } | { own: true });

/** Milliseconds in which the server has taken up a setting. */
const HEARD = 10_000;

export class Setup {
  constructor(
    private readonly connection: Connection,
    private readonly keys: Keys,
  ) {}

  async open(): Promise<void> {
    const chosen = await this.choose();
    if (!chosen) return;
    if ('own' in chosen) {
      await vscode.commands.executeCommand('workbench.action.openSettings', `${SECTION}.models`);
      return;
    }
    const id = 'vendor' in chosen ? await this.ofVendor(chosen.vendor) : await this.ofServer(chosen.server, chosen.model);
    if (id) await this.tryOut(id, chosen.label, 'vendor' in chosen ? chosen.vendor : undefined);
  }

  private async choose(): Promise<Choice | undefined> {
    const rows = this.connection.execute<(Vendor | LocalServer | object)[]>('inkwright.listModels', {
      vendors: true,
      discover: true,
    });
    const items = rows.then((all): Choice[] => {
      const servers = all.filter((one): one is LocalServer => 'found' in one);
      const vendors = all.filter((one): one is Vendor => 'vendor' in one);
      return [
        ...servers.flatMap((server) =>
          server.models.map((model) => ({
            label: `${server.label}: ${model}`,
            description: vscode.l10n.t('on this machine'),
            server,
            model,
          })),
        ),
        ...vendors.map((vendor) => ({ label: vendor.label, description: vendor.model ?? '', detail: vendor.endpoint, vendor })),
        { label: vscode.l10n.t('Another endpoint…'), description: vscode.l10n.t('in the settings'), own: true },
      ];
    });
    return vscode.window.showQuickPick(items, {
      title: vscode.l10n.t('Set Up a Model'),
      placeHolder: vscode.l10n.t('Whose model is it? Nothing is sent before you have chosen.'),
    });
  }

  private async ofVendor(vendor: Vendor): Promise<string | undefined> {
    return (await this.keys.ask(vendor.id, vendor.label)) ? vendor.id : undefined;
  }

  private async ofServer(server: LocalServer, model: string): Promise<string> {
    const section = vscode.workspace.getConfiguration(SECTION);
    const known = section.inspect<Record<string, unknown> | null>('models')?.globalValue ?? {};
    await section.update(
      'models',
      { ...known, [server.id]: { endpoint: server.endpoint, model } },
      vscode.ConfigurationTarget.Global,
    );
    await this.heard(server.id);
    return server.id;
  }

  /** What was just set goes its own way to the server: a question may overtake it. */
  private async heard(id: string): Promise<void> {
    for (const end = Date.now() + HEARD; Date.now() < end; ) {
      const models = await this.connection.execute<Model[]>('inkwright.listModels', {});
      if (models.some((one) => one.id === id)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** A model that works becomes the one that is used; of one that does not it is said why. */
  private async tryOut(model: string, label: string, vendor: Vendor | undefined): Promise<void> {
    // A server of this machine says itself what its models are called.
    const name = unlinked(label);
    const trial = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Trying {0}…', name) },
      () => this.connection.execute<Trial>('inkwright.testModel', { model }),
    );
    if (!trial.works) {
      const again = vscode.l10n.t('Another Key…');
      const told = `${name}: ${why(trial.error?.message ?? '')}`;
      const chosen = await vscode.window.showWarningMessage(told, ...(vendor ? [again] : []));
      if (chosen === again && vendor && (await this.ofVendor(vendor))) await this.tryOut(model, label, vendor);
      return;
    }
    await vscode.workspace.getConfiguration(SECTION).update('model', model, vscode.ConfigurationTarget.Global);
    const seconds = (trial.latency ?? 0).toFixed(1);
    void vscode.window.showInformationMessage(vscode.l10n.t('{0} works ({1} s) and is used from now on.', name, seconds));
  }
}
