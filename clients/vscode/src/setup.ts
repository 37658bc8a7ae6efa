/** Setting up a model: which vendor, its key into the editor's own store, and whether it works. */

import * as vscode from 'vscode';
import { shownId } from './abilities';
import { type Boxes, inTurn } from './boxes';
import type { Connection } from './client';
import type { Keys } from './keys';
import { Own } from './own';
import { SECTION, type LocalServer, type Model, type Trial, type Vendor } from './protocol';
import { unlinked, why } from './said';

interface Choice extends vscode.QuickPickItem {
  /** Asks for what is missing, and gives what is to be used. Undefined: the writer left. */
  take?: (boxes: Boxes) => Promise<Ready | undefined>;
}

/** A model that can be tried; `key` asks for another key of it. */
interface Ready {
  model: string;
  label: string;
  key?: (boxes: Boxes) => Promise<boolean>;
}

/** The engine that works by rules, without a model. */
const OFFLINE = 'offline';

export class Setup {
  private readonly own: Own;

  constructor(
    private readonly connection: Connection,
    private readonly keys: Keys,
  ) {
    this.own = new Own(connection, keys);
  }

  async open(): Promise<void> {
    const ready = await inTurn(async (boxes) => {
      const chosen = await boxes.pick(this.choices(), {
        title: vscode.l10n.t('Set Up a Model'),
        placeHolder: vscode.l10n.t('Whose model is it? Nothing is sent before you have chosen.'),
        matchOnDescription: true,
      });
      return chosen?.take?.(boxes);
    });
    if (ready?.model === OFFLINE) await use(OFFLINE, vscode.l10n.t('{0}: used from now on.', ready.label));
    else if (ready) await this.tryOut(ready);
  }

  private async choices(): Promise<Choice[]> {
    const all = await this.connection.execute<(Model | Vendor | LocalServer)[]>('inkwright.listModels', {
      vendors: true,
      discover: true,
    });
    const servers = all.filter((one) => 'found' in one);
    const vendors = all.filter((one) => 'vendor' in one);
    const models = all.filter((one) => 'default' in one).filter(({ kind }) => kind !== 'embedding');
    return [
      heading(vscode.l10n.t('Yours')),
      ...models.map((model) => this.yours(model, vendors)),
      heading(vscode.l10n.t('Set up')),
      ...servers.flatMap((server) => server.models.map((model) => this.local(server, model))),
      {
        label: vscode.l10n.t('Another endpoint (OpenAI-compatible)…'),
        description: vscode.l10n.t('a server of your own, or a vendor that is not listed'),
        take: async (boxes) => {
          const name = await this.own.ask(boxes, vendors.map(({ id }) => id));
          return name === undefined ? undefined : { model: name, label: name, key: (more) => this.own.key(more, name) };
        },
      },
      ...vendors.map((vendor) => this.vendor(vendor)),
    ];
  }

  /** One that is set up: nothing is asked for it. */
  private yours({ id, model, default: used }: Model, vendors: readonly Vendor[]): Choice {
    const label = id === OFFLINE ? vscode.l10n.t('Offline: built-in rules') : id;
    const vendor = vendors.find((one) => one.id === id);
    const key = Object.hasOwn(this.own.known(), id)
      ? (boxes: Boxes): Promise<boolean> => this.own.key(boxes, id)
      : vendor && ((boxes: Boxes): Promise<boolean> => this.keys.ask(boxes, id, vendor.label));
    return {
      label,
      description: [shownId({ id, label }), model ?? '', used ? vscode.l10n.t('in use') : ''].filter(Boolean).join(' · '),
      take: () => Promise.resolve({ model: id, label, ...(key ? { key } : {}) }),
    };
  }

  private local({ id, label: whose, endpoint }: LocalServer, model: string): Choice {
    const label = `${whose}: ${model}`;
    return {
      label,
      description: vscode.l10n.t('on this machine'),
      take: async () => {
        await this.own.write(id, { endpoint, model });
        return { model: id, label };
      },
    };
  }

  private vendor({ id, label, model, endpoint }: Vendor): Choice {
    const key = (boxes: Boxes): Promise<boolean> => this.keys.ask(boxes, id, label);
    return {
      label,
      description: model ?? '',
      detail: endpoint,
      take: async (boxes) => ((await key(boxes)) ? { model: id, label, key } : undefined),
    };
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
    const seconds = (trial.latency ?? 0).toFixed(1);
    await use(model, vscode.l10n.t('{0} works ({1} s) and is used from now on.', name, seconds));
  }
}

async function use(model: string, told: string): Promise<void> {
  await vscode.workspace.getConfiguration(SECTION).update('model', model, vscode.ConfigurationTarget.Global);
  void vscode.window.showInformationMessage(told);
}

function heading(label: string): Choice {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
