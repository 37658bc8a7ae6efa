import assert from 'node:assert/strict';
import Module, { createRequire } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The client over the real library, and what it shows, by an editor that answers everything with nothing. */
async function made() {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../src/languageClient.ts', import.meta.url))],
    bundle: true,
    external: ['vscode'],
    format: 'cjs',
    platform: 'node',
    write: false,
  });
  const shown = [];
  const get = (_, key) => (key === Symbol.toPrimitive ? () => '' : key === 'then' ? undefined : thing());
  const thing = () => new Proxy(function () {}, { get, construct: thing, apply: thing });
  const show = (text) => Promise.resolve(void shown.push(text));
  const window = new Proxy({}, { get: (_, key) => (/^show.*Message$/.test(String(key)) ? show : thing()) });
  const vscode = new Proxy({}, { get: (_, key) => ({ window, version: '1.110.0' })[key] ?? thing() });
  const require = createRequire(import.meta.url);
  const module = new Module('languageClient');
  module.require = (name) => (name === 'vscode' ? vscode : require(name));
  module._compile(outputFiles[0].text, 'languageClient.js');
  const logged = [];
  const outputChannel = { error: (text) => logged.push(text), appendLine() {}, warn() {}, info() {}, debug() {}, trace() {} };
  const client = new module.exports.Client('id', 'Name', { command: 'none' }, { outputChannel, documentSelector: [] });
  return { client, shown, logged };
}

const coded = (code) => Object.assign(new Error(`write ${code}`), { code });

test('what a server on its way out did not hear stands in the log and is no message that stays', async () => {
  const { client, shown, logged } = await made();
  client.error('Sending request failed.');
  client.error('Sending notification failed.');
  for (const code of ['EPIPE', 'ERR_STREAM_DESTROYED', -32099, -32097, 1, 2]) {
    client.error('Request textDocument/semanticTokens/full/delta failed.', coded(code));
  }
  client.error('the server ended', undefined, 'force');
  assert.deepEqual(shown, []);
  assert.equal(logged.length, 9);
});

test('what a server answers wrongly is shown', async () => {
  const { client, shown } = await made();
  client.error('Request textDocument/hover failed.', coded(-32603));
  assert.equal(shown.length, 1);
  assert.match(shown[0], /hover failed/);
});
