/** Setting up a model: which vendor, its key into the editor's own store, and whether it works. */

import * as vscode from 'vscode';
import { type Boxes, inTurn } from './boxes';
import type { Connection } from './client';
import type { Keys } from './keys';
import { Own } from './own';
import { SECTION, type LocalServer, type Trial, type Vendor } from './protocol';
import { unlinked, why } from './said';

type Choice = vscode.QuickPickItem & ({ vendor: Vendor } | { server: LocalServer; model: string } | { own: true; taken: string[] });

/** A model that can be tried; `key` asks for another key of it. */
interface Ready {
  model: string;
  label: string;
  key?: (boxes: Boxes) => Promise<boolean>;
}

export class Setup {
  private readonly own: Own;

  constructor(
    private readonly connection: Connection,
    private readonly keys: Keys,
  ) {
    this.own = new Own(connection, keys);
  }

  async open(): Promise<void> {
    const ready = await inTurn((boxes) => this.ask(boxes));
    if (ready) await this.tryOut(ready);
  }

  /** What is to be tried, once everything is asked for. */
  private async ask(boxes: Boxes): Promise<Ready | undefined> {
    const chosen = await this.choose(boxes);
    if (!chosen) return undefined;
    if ('own' in chosen) {
      const name = await this.own.ask(boxes, chosen.taken);
      return name === undefined ? undefined : { model: name, label: name, key: (more) => this.own.key(more, name) };
    }
    if ('vendor' in chosen) {
      const { vendor } = chosen;
      const key: Ready['key'] = (more) => this.keys.ask(more, vendor.id, vendor.label);
      return (await key(boxes)) ? { model: vendor.id, label: chosen.label, key } : undefined;
    }
    const { server, model, label } = chosen;
    await this.own.write(server.id, { endpoint: server.endpoint, model });
    return { model: server.id, label };
  }

  private async choose(boxes: Boxes): Promise<Choice | undefined> {
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
        {
          label: vscode.l10n.t('Another endpoint (OpenAI-compatible)…'),
          description: vscode.l10n.t('a server of your own, or a vendor that is not listed'),
          own: true,
          taken: vendors.map(({ id }) => id),
        },
        ...vendors.map((vendor) => ({ label: vendor.label, description: vendor.model ?? '', detail: vendor.endpoint, vendor })),
      ];
    });
    return boxes.pick(items, {
      title: vscode.l10n.t('Set Up a Model'),
      placeHolder: vscode.l10n.t('Whose model is it? Nothing is sent before you have chosen.'),
    });
  }

  /** A model that works becomes the one that is used; of one that does not it is said why. */
  private async tryOut(ready: Ready): Promise<void> {
    const { model, label, key } = ready;
    // A server of this machine says itself what its models are called.
    const name = unlinked(label);
    const trial = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Trying {0}…', name) },
      () => this.connection.execute<Trial>('inkwright.testModel', { model }),
    );
    if (!trial.works) {
      const again = vscode.l10n.t('Another Key…');
      const told = `${name}: ${why(trial.error?.message ?? '')}`;
      const chosen = await vscode.window.showWarningMessage(told, ...(key ? [again] : []));
      if (chosen === again && key && (await inTurn(key))) await this.tryOut(ready);
      return;
    }
    await vscode.workspace.getConfiguration(SECTION).update('model', model, vscode.ConfigurationTarget.Global);
    const seconds = (trial.latency ?? 0).toFixed(1);
    void vscode.window.showInformationMessage(vscode.l10n.t('{0} works ({1} s) and is used from now on.', name, seconds));
  }
}
