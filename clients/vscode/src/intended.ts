/** What the writer has called intended: looked at, and taken back. */

import * as vscode from 'vscode';
import type { Connection } from './client';
import { list, type Row } from './list';
import { short } from './places';
import type { Decisions } from './protocol';

export class Intended {
  constructor(private readonly connection: Connection) {}

  async open(uri: string): Promise<void> {
    const placeholder = vscode.l10n.t('What is taken back is told of again.');
    await list(vscode.l10n.t('What Is Intended'), placeholder, () => this.rows(uri));
  }

  private async rows(uri: string): Promise<Row[]> {
    const { intended, problems } = await this.connection.execute<Decisions>('inkwright.listIntended', { uri });
    const told = problems.map((one) => ({ item: { label: `$(warning) ${one.message}`, alwaysShow: true } }));
    if (!intended.length) return [...told, { item: { label: vscode.l10n.t('Nothing was called intended yet: the lightbulb of a marked place offers it.') } }];
    return [
      ...told,
      ...intended.map(({ id, code, text, path }) => ({
        item: { label: short(text, 80), description: [code, path ?? vscode.l10n.t('everywhere')].join(' · ') },
        acts: [
          {
            label: vscode.l10n.t('Take Back'),
            icon: 'discard',
            again: true,
            run: () => this.connection.execute('inkwright.unintend', { uri, ids: [id] }),
          },
        ],
      })),
    ];
  }
}
