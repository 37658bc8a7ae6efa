/** Cards and facts that a run found: looked at, accepted into files, or rejected. */

import * as vscode from 'vscode';
import type { Answers } from './answers';
import type { Connection } from './client';
import { type Act, list, row, type Row } from './list';
import { openOne, short } from './places';
import type { Candidate, Range } from './protocol';

export class Candidates implements vscode.Disposable {
  private readonly left = new vscode.EventEmitter<{ uri: string; gone?: readonly string[]; all?: readonly string[] }>();

  /** Fired with those that do not wait any more, or with all that wait in the book of a document. */
  readonly onLeft = this.left.event;

  constructor(
    private readonly connection: Connection,
    private readonly answers: Answers,
  ) {}

  dispose(): void {
    this.left.dispose();
  }

  /** A command of the server's that the editor runs: its answer, and no more waiting. */
  async decide(command: 'inkwright.acceptCandidates' | 'inkwright.rejectCandidates', argument: { uri: string; ids: readonly string[] }): Promise<Candidate[]> {
    const all = await this.connection.execute<Candidate[]>(command, argument);
    this.left.fire({ uri: argument.uri, gone: argument.ids });
    return all;
  }

  async open(uri: string): Promise<void> {
    const title = vscode.l10n.t('Candidates');
    const placeholder = vscode.l10n.t('Nothing is written before you accept it.');
    await list(title, placeholder, () => this.rows(uri));
  }

  /** Says that a run has left candidates behind. */
  async tell(uri: string, count: number): Promise<void> {
    const look = vscode.l10n.t('Look at Them…');
    const told = vscode.l10n.t('Candidates that wait for you to accept them: {0}.', count);
    if ((await vscode.window.showInformationMessage(told, look)) === look) await this.open(uri);
  }

  async accept(uri: string, ids: readonly string[]): Promise<void> {
    const all = await this.decide('inkwright.acceptCandidates', { uri, ids });
    const done = all.filter((one) => one.state === 'accepted' && one.uri);
    const open = vscode.l10n.t('Open…');
    const told = vscode.l10n.t('{0} accepted.', done.length);
    void vscode.window.showInformationMessage(told, open).then((chosen) => {
      if (chosen === open) void openOne([...new Set(done.map((one) => one.uri ?? ''))].map((one) => vscode.Uri.parse(one)));
    });
  }

  async reject(uri: string, ids: readonly string[]): Promise<void> {
    await this.decide('inkwright.rejectCandidates', { uri, ids });
  }

  /** What waits in the book of a document, asked for anew. */
  async waiting(uri: string): Promise<Candidate[]> {
    const all = await this.connection.execute<Candidate[]>('inkwright.listCandidates', { uri });
    this.left.fire({ uri, all: all.map(({ id }) => id) });
    return all;
  }

  private async rows(uri: string): Promise<Row[]> {
    const all = await this.waiting(uri);
    if (!all.length) return [{ item: { label: vscode.l10n.t('Nothing waits for you.'), alwaysShow: true } }];
    const ids = all.map((one) => one.id);
    // What its card contradicts is taken by itself alone.
    const sound = all.filter((one) => !one.against).map((one) => one.id);
    return [
      ...all.map((one) => ({
        item: {
          label: one.title,
          description: [typeName(one.type), ...one.tags].join(' · '),
          detail: detail(one),
        },
        acts: this.acts(uri, one),
      })),
      row({
        label: vscode.l10n.t('Accept All ({0})', sound.length),
        icon: 'check-all',
        run: () => this.accept(uri, sound),
      }),
      row({
        label: vscode.l10n.t('Reject All ({0})', all.length),
        icon: 'close-all',
        run: () => this.reject(uri, ids),
      }),
    ];
  }

  private acts(uri: string, one: Candidate): Act[] {
    const look = () => (one.range ? show(one.uri, one.range) : this.answers.show(one.title, one.id, preview(one), uri));
    return [
      { label: vscode.l10n.t('Look'), icon: 'eye', run: look },
      { label: vscode.l10n.t('Accept'), icon: 'check', again: true, run: () => this.accept(uri, [one.id]) },
      { label: vscode.l10n.t('Reject'), icon: 'close', again: true, run: () => this.reject(uri, [one.id]) },
    ];
  }
}

function detail({ kind, content, quote, against }: Candidate): string {
  // A list shows no Markdown.
  if (kind === 'card') return short((content || quote).replaceAll('**', ''), 100);
  const said = `${short(content, 60)} — “${short(quote, 60)}”`;
  return against ? `${said} · ${vscode.l10n.t('The card says: {0}', short(against, 40))}` : said;
}

/** The quotation in its chapter. */
async function show(uri: string | null | undefined, { start, end }: Range): Promise<void> {
  if (!uri) return;
  const selection = new vscode.Range(start.line, start.character, end.line, end.character);
  await vscode.window.showTextDocument(vscode.Uri.parse(uri), { selection });
}

function preview({ title, type, tags, content, quote, source, chapter }: Candidate): string {
  const quoted = quote ? quote.replace(/^/gm, '> ') : '';
  const from = [chapter, source].filter(Boolean).join(' · ');
  return `${[`# ${title}`, [typeName(type), ...tags].join(' · '), content, quoted, from && `— ${from}`].filter(Boolean).join('\n\n')}\n`;
}

/** What a card can be about. */
export function cardTypes(): { label: string; type: string }[] {
  return [
    { label: vscode.l10n.t('Character'), type: 'character' },
    { label: vscode.l10n.t('Place'), type: 'location' },
    { label: vscode.l10n.t('Time'), type: 'timeline' },
    { label: vscode.l10n.t('Faction'), type: 'faction' },
    { label: vscode.l10n.t('Item'), type: 'item' },
    { label: vscode.l10n.t('Anything Else'), type: 'misc' },
  ];
}

/** A kind of the writer's own stays as it is. */
function typeName(type: string): string {
  if (type === 'fact') return vscode.l10n.t('Fact');
  return cardTypes().find((one) => one.type === type)?.label ?? type;
}
