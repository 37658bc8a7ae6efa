/** A model of the writer's own, at any OpenAI-compatible endpoint: what is asked for it, and where it is kept. */

import * as vscode from 'vscode';
import type { Boxes } from './boxes';
import type { Connection } from './client';
import { type Fault, keyName, wrong } from './endpoint';
import { type Keys, misnamed } from './keys';
import { SECTION, type Model, type Offered } from './protocol';
import { why } from './said';

/** Milliseconds in which the server has taken up a setting. */
const HEARD = 10_000;

/** The endpoint is there, though it gives no list of its models. */
const THERE = ['endpoint_auth', 'endpoint_no_list', 'endpoint_not_list'];

/** What was asked at an address, and the key's name if one went along. */
interface Place {
  endpoint: string;
  secret: string;
  keyed: boolean;
  offered: Offered;
}

type Known = Record<string, Record<string, unknown> | undefined>;

export class Own {
  constructor(
    private readonly connection: Connection,
    private readonly keys: Keys,
  ) {}

  /** Name, address, key if there is one, and model. Undefined: left. */
  async ask(boxes: Boxes, vendors: readonly string[]): Promise<string | undefined> {
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
    const place = await this.place(boxes, title, name, known);
    if (!place) return undefined;
    const model = await modelOf(boxes, title, place.offered);
    if (!model) return undefined;
    const { endpoint, secret, keyed } = place;
    const replaced = known[name]?.key;
    await this.write(name, { endpoint, model, ...(keyed ? { key: `editor:${secret}` } : {}) });
    await this.release(name, replaced);
    return name;
  }

  /** Another key for one that is there. False: none was given. */
  async key(boxes: Boxes, name: string): Promise<boolean> {
    const known = this.known()[name];
    const secret = keyName(name, typeof known?.endpoint === 'string' ? known.endpoint : '', this.known());
    if (!(await this.keys.ask(boxes, secret, name))) return false;
    if (known && known.key !== `editor:${secret}`) await this.write(name, { ...known, key: `editor:${secret}` });
    return true;
  }

  /** The models of the writer's own settings: what a folder says of models is none of ours to write. */
  known(): Known {
    const section = vscode.workspace.getConfiguration(SECTION);
    return section.inspect<Known | null>('models')?.globalValue ?? {};
  }

  async write(id: string, model: Record<string, unknown>): Promise<void> {
    const section = vscode.workspace.getConfiguration(SECTION);
    await section.update('models', { ...this.known(), [id]: model }, vscode.ConfigurationTarget.Global);
    await this.heard(id);
  }

  /** An address at which there is something; the same one given twice is taken as it is. */
  private async place(boxes: Boxes, title: string, name: string, known: Known): Promise<Place | undefined> {
    const before = known[name]?.endpoint;
    let value = typeof before === 'string' ? before : '';
    let last: Place | undefined;
    for (;;) {
      const given = await boxes.input({
        title,
        prompt: vscode.l10n.t('Its address, as far as /v1'),
        value,
        placeHolder: 'http://127.0.0.1:11434/v1',
        ignoreFocusOut: true,
        trouble: last && vscode.l10n.t('{0} Enter takes the address all the same.', why(last.offered.error?.message ?? '')),
        validateInput: (text) => told(wrong(text)),
      });
      if (!given) return undefined;
      value = given.trim();
      if (value === last?.endpoint) return last;
      last = await this.at(boxes, name, value, keyName(name, value, known));
      if (!last?.offered.error || THERE.includes(last.offered.error.code)) return last;
    }
  }

  /** What an endpoint offers, with a key if it wants one; a key that it refuses is asked for until none is given. */
  private async at(boxes: Boxes, name: string, endpoint: string, secret: string): Promise<Place | undefined> {
    // What runs on this machine has no key as a rule: it says so itself if it has.
    let asked = endpoint.startsWith('https:');
    let keyed = false;
    if (asked) {
      const key = await this.keys.maybe(boxes, secret, name);
      if (key === undefined) return undefined;
      keyed = key;
    }
    for (;;) {
      const offered = await this.offered(endpoint, secret, keyed);
      if (offered.error?.code !== 'endpoint_auth') return { endpoint, secret, keyed, offered };
      const refused = vscode.l10n.t('{0} Enter alone goes on without another key.', why(offered.error.message));
      const key = await this.keys.maybe(boxes, secret, name, asked ? refused : undefined);
      if (key === undefined) return undefined;
      if (!key) return { endpoint, secret, keyed, offered };
      asked = true;
      keyed = true;
    }
  }

  private async offered(endpoint: string, secret: string, keyed: boolean): Promise<Offered> {
    return vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Asking which models there are…') },
      () => this.connection.execute<Offered>('inkwright.listEndpointModels', { endpoint, ...(keyed ? { key: `editor:${secret}` } : {}) }),
    );
  }

  /** The key of a model that was replaced goes with it, if it was its own and nobody else uses it. */
  private async release(name: string, reference: unknown): Promise<void> {
    const secret = typeof reference === 'string' ? /^editor:(.+)$/.exec(reference)?.[1] : undefined;
    if (secret === undefined || (secret !== name && !secret.startsWith(`${name}-`))) return;
    const used = Object.values(this.known()).some((one) => one?.key === reference);
    if (!used) await this.keys.drop(secret);
  }

  /** What was just set goes its own way to the server: a question may overtake it. */
  private async heard(id: string): Promise<void> {
    for (const end = Date.now() + HEARD; Date.now() < end; ) {
      const models = await this.connection.execute<Model[]>('inkwright.listModels', {});
      if (models.some((one) => one.id === id)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** One of those that the endpoint offers, or one whose name is typed. */
async function modelOf(boxes: Boxes, title: string, { models, error }: Offered): Promise<string | undefined> {
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
