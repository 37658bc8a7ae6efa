/** A run of the past as a page: what was asked, how it went, which tools the model called, what it used, what it said. */

import * as vscode from 'vscode';
import { modelName, stateOf } from './past';
import type { JournalRun, Usage } from './protocol';

export function journal(run: JournalRun): string {
  const seconds = run.endedAt === null ? '' : ` · ${duration(Date.parse(run.endedAt) - Date.parse(run.createdAt))}`;
  const out = [
    `# ${run.label} · ${run.path}`,
    `${stateOf(run)} · ${modelName(run.model)} · ${new Date(run.createdAt).toLocaleString()}${seconds}`,
  ];
  if (run.error) out.push(`> ⚠ ${run.error.message}`);
  if (run.message) out.push(`## ${vscode.l10n.t('What was asked')}`, quoted(run.message));
  if (run.usage.input || run.usage.output) out.push(`## ${vscode.l10n.t('Usage')}`, used(run.usage));
  if (run.products?.length) {
    const parts = run.products.map(({ name, status, batch }) => `- ${MARKS[status] ?? '…'} ${name} ${batch + 1}`);
    out.push(`## ${vscode.l10n.t('Steps')}`, parts.join('\n'));
  }
  const calls = run.steps.flatMap((step) => step.toolCalls);
  if (calls.length) {
    const lines = calls.map((call) => {
      const given = Object.entries(call.arguments ?? {}).map(([name, value]) => `${name}: ${code(JSON.stringify(value))}`);
      return `- ${call.ok ? '✓' : '✗'} ${code(call.name)} ${given.join(', ')} · ${call.seconds.toFixed(1)} s`;
    });
    out.push(`## ${vscode.l10n.t('Tools')}`, lines.join('\n'));
  }
  if (run.text) out.push(`## ${vscode.l10n.t('The Answer')}`, run.text);
  return `${out.join('\n\n')}\n`;
}

const MARKS: Record<string, string> = { completed: '✓', failed: '✗', cancelled: '✗', partial: '✗' };

function used({ input, output, cost, estimated }: Usage): string {
  const tokens = vscode.l10n.t('{0} in, {1} out', input.toLocaleString(), output.toLocaleString());
  return [tokens, ...(cost === undefined ? [] : [`${cost.toFixed(4)}${estimated ? ' ≈' : ''}`])].join(' · ');
}

function duration(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** Whatever stands in it, it stays code, on one line and of a length to be read. */
function code(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  const short = line.length > 80 ? `${line.slice(0, 80)}…` : line;
  const fence = '`'.repeat(1 + Math.max(0, ...(short.match(/`+/g) ?? []).map((one) => one.length)));
  return `${fence} ${short} ${fence}`;
}

function quoted(text: string): string {
  return text.split(/\r\n|\r|\n/).map((line) => `> ${line}`).join('\n');
}
