/** Setting up a model: which vendor, its key into the editor's own store, and whether it works. */

import * as vscode from 'vscode';
import { type Boxes, inTurn } from './boxes';
import type { Connection } from './client';
import { type Keys, misnamed } from './keys';
import { type Fault, keyName, wrong } from './endpoint';
import { SECTION, type LocalServer, type Model, type Offered, type Trial, type Vendor } from './protocol';
import { unlinked, why } from './said';

type Choice = vscode.QuickPickItem & ({ vendor: Vendor } | { server: LocalServer; model: string } | { own: true; taken: string[] });

/** A model that can be tried; `key` asks for another key of it. */
interface Ready {
  model: string;
  label: string;
  key?: (boxes: Boxes) => Promise<boolean>;
}

/** Milliseconds in which the server has taken up a setting. */
const HEARD = 10_000;

export class Setup {
  constructor(
    private readonly connection: Connection,
    private readonly keys: Keys,
  ) {}

  async open(): Promise<void> {
    const ready = await inTurn((boxes) => this.ask(boxes));
    if (ready) await this.tryOut(ready);
  }

  /** What is to be tried, once everything is asked for. */
  private async ask(boxes: Boxes): Promise<Ready | undefined> {
    const chosen = await this.choose(boxes);
    if (!chosen) return undefined;
    if ('own' in chosen) {
      const name = await this.ofOwn(boxes, chosen.taken);
      return name === undefined ? undefined : { model: name, label: name, key: (more) => this.ownKey(more, name) };
    }
    if ('vendor' in chosen) {
      const { vendor } = chosen;
      const key: Ready['key'] = (more) => this.keys.ask(more, vendor.id, vendor.label);
      return (await key(boxes)) ? { model: vendor.id, label: chosen.label, key } : undefined;
    }
    const { server, model, label } = chosen;
    await this.write(server.id, { endpoint: server.endpoint, model });
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

  /** Name, address, key if there is one, and model of an endpoint of the writer's own. Undefined: left. */
  private async ofOwn(boxes: Boxes, vendors: readonly string[]): Promise<string | undefined> {
    const title = vscode.l10n.t('Another endpoint (OpenAI-compatible)…');
    const known = this.known();
    const name = await boxes.input({
      title,
      prompt: vscode.l10n.t('A name of your own for the model, such as home'),
      ignoreFocusOut: true,
      validateInput: (text) => {
        const told = misnamed(text);
        if (told) return told;
        if (text === 'offline' || vendors.includes(text)) return vscode.l10n.t('This name is taken already.');
        if (!Object.hasOwn(known, text)) return undefined;
        return { message: vscode.l10n.t('A model of this name is there: it is replaced.'), severity: vscode.InputBoxValidationSeverity.Info };
      },
    });
    if (!name) return undefined;
    const before = known[name]?.endpoint;
    const given = await boxes.input({
      title,
      prompt: vscode.l10n.t('Its address, as far as /v1'),
      value: typeof before === 'string' ? before : '',
      placeHolder: 'http://127.0.0.1:11434/v1',
      ignoreFocusOut: true,
      validateInput: (text) => told(wrong(text)),
    });
    if (!given) return undefined;
    const endpoint = given.trim();
    const secret = keyName(name, endpoint, known);
    // What runs on this machine has no key as a rule: it says so itself if it has.
    let keyed = false;
    if (endpoint.startsWith('https:')) {
      const key = await this.keys.maybe(boxes, secret, name);
      if (key === undefined) return undefined;
      keyed = key;
    }
    let offered = await this.offered(endpoint, secret, keyed);
    if (!keyed && offered.error?.code === 'endpoint_auth') {
      const key = await this.keys.maybe(boxes, secret, name);
      if (key === undefined) return undefined;
      keyed = key;
      if (keyed) offered = await this.offered(endpoint, secret, keyed);
    }
    const model = await this.modelOf(boxes, title, offered);
    if (!model) return undefined;
    const replaced = known[name]?.key;
    await this.write(name, { endpoint, model, ...(keyed ? { key: `editor:${secret}` } : {}) });
    await this.release(name, replaced);
    return name;
  }

  /** The key of a model that was replaced goes with it, if it was its own and nobody else uses it. */
  private async release(name: string, reference: unknown): Promise<void> {
    const secret = typeof reference === 'string' ? /^editor:(.+)$/.exec(reference)?.[1] : undefined;
    if (secret === undefined || (secret !== name && !secret.startsWith(`${name}-`))) return;
    const used = Object.values(this.known()).some((one) => one?.key === reference);
    if (!used) await this.keys.drop(secret);
  }

  private async ownKey(boxes: Boxes, name: string): Promise<boolean> {
    const known = this.known()[name];
    const secret = keyName(name, typeof known?.endpoint === 'string' ? known.endpoint : '', this.known());
    if (!(await this.keys.ask(boxes, secret, name))) return false;
    if (known && known.key !== `editor:${secret}`) await this.write(name, { ...known, key: `editor:${secret}` });
    return true;
  }

  private async offered(endpoint: string, secret: string, keyed: boolean): Promise<Offered> {
    return vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Asking which models there are…') },
      () => this.connection.execute<Offered>('inkwright.listEndpointModels', { endpoint, ...(keyed ? { key: `editor:${secret}` } : {}) }),
    );
  }

  /** One of those that the endpoint offers, or one whose name is typed. */
  private async modelOf(boxes: Boxes, title: string, { models, error }: Offered): Promise<string | undefined> {
    const type = { label: vscode.l10n.t('Another name…'), typed: true };
    if (models.length) {
      const chosen = await boxes.pick<vscode.QuickPickItem & { typed?: boolean }>(
        [...models.map((label) => ({ label })), type],
        { title, placeHolder: vscode.l10n.t('Which model?') },
      );
      if (!chosen?.typed) return chosen?.label;
    }
    const prompt = vscode.l10n.t('What the endpoint calls the model');
    const typed = await boxes.input({
      title,
      prompt: error ? `${prompt} (${why(error.message)})` : prompt,
      ignoreFocusOut: true,
      validateInput: (text) => (text.trim() ? undefined : prompt),
    });
    return typed?.trim();
  }

  /** The models of the writer's own settings: what a folder says of models is none of ours to write. */
  private known(): Record<string, Record<string, unknown> | undefined> {
    const section = vscode.workspace.getConfiguration(SECTION);
    return section.inspect<Record<string, Record<string, unknown>> | null>('models')?.globalValue ?? {};
  }

  private async write(id: string, model: Record<string, unknown>): Promise<void> {
    const section = vscode.workspace.getConfiguration(SECTION);
    await section.update('models', { ...this.known(), [id]: model }, vscode.ConfigurationTarget.Global);
    await this.heard(id);
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

function told(fault: Fault | undefined): string | undefined {
  switch (fault) {
    case undefined:
      return undefined;
    case 'clear':
      return vscode.l10n.t('Over http only on this machine: what you write would be read on the way. Take https.');
    case 'secret':
      return vscode.l10n.t('No key and no password in the address: the key is asked for next.');
    case 'fragment':
      return vscode.l10n.t('Without the part that begins with #: it would not be sent.');
    case 'address':
      return vscode.l10n.t('An address begins with https://, or with http:// on this machine.');
  }
}
