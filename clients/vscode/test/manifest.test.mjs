import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { load } from './source.mjs';

const at = (name) => new URL(`../${name}`, import.meta.url);
const json = async (name) => JSON.parse(await readFile(at(name), 'utf8'));
const source = async () => {
  const names = await readdir(at('src'));
  return (await Promise.all(names.map((name) => readFile(at(`src/${name}`), 'utf8')))).join('\n');
};

test('every text of the manifest stands in both languages, and no other', async () => {
  const [manifest, en, zh] = await Promise.all(['package.json', 'package.nls.json', 'package.nls.zh-cn.json'].map(json));
  const used = [...JSON.stringify(manifest).matchAll(/"%([^%"]+)%"/g)].map((m) => m[1]);
  assert.deepEqual(Object.keys(en).sort(), [...new Set(used)].sort());
  assert.deepEqual(Object.keys(zh).sort(), Object.keys(en).sort());
  for (const [key, text] of Object.entries(zh)) if (key !== 'category' && !key.endsWith('.media')) assert.match(text, /\p{Script=Han}/u, key);
});

test('every text of the code stands in Chinese, and no other', async () => {
  const text = await source();
  const used = [...text.matchAll(/l10n\.t\(\s*(?:'([^']*)'|"([^"]*)")/g)].map((m) => m[1] ?? m[2]);
  assert.equal(used.length, text.split('l10n.t(').length - 1);
  const bundle = await json('l10n/bundle.l10n.zh-cn.json');
  assert.deepEqual(Object.keys(bundle).sort(), [...new Set(used)].sort());
  for (const [key, zh] of Object.entries(bundle)) {
    assert.deepEqual(zh.match(/\{\d\}/g)?.sort() ?? [], key.match(/\{\d\}/g)?.sort() ?? [], key);
  }
});

test('the palette has ids of its own, each registered once', async () => {
  const { contributes } = await json('package.json');
  const { COMMANDS } = await load('protocol');
  const ids = contributes.commands.map((c) => c.command);
  assert.ok(ids.every((id) => id.startsWith('inkwrightClient.') && !COMMANDS.includes(id)));
  const text = await readFile(at('src/commands.ts'), 'utf8');
  const table = text.slice(text.indexOf('const table'), text.indexOf('const all'));
  const { ROW_ACTS } = await load('rowActs');
  const registered = [
    ...[...table.matchAll(/^ {6}(\w+): /gm)].map((m) => `inkwrightClient.${m[1]}`),
    ...ROW_ACTS.map((name) => `inkwrightClient.row.${name}`),
    'inkwrightClient.refreshViews',
  ];
  assert.deepEqual(registered.sort(), [...ids].sort());
  const menus = JSON.stringify([contributes.menus, contributes.walkthroughs]);
  for (const [id] of menus.matchAll(/inkwrightClient(?:\.\w+)+/g)) {
    assert.ok(ids.includes(id) || contributes.submenus.some((s) => s.id === id), id);
  }
});

test('what decides where a manuscript goes and what it may cost is no matter of a folder that is not trusted', async () => {
  const { capabilities } = await json('package.json');
  const restricted = capabilities.untrustedWorkspaces.restrictedConfigurations;
  const text = await readFile(at('src/settings.ts'), 'utf8');
  const lists = ['OF_MODELS', 'OF_MONEY'].map((name) => text.match(new RegExp(`const ${name}: readonly string\\[\\] = \\[([^\\]]*)\\]`))[1]);
  const keys = [...lists.join().matchAll(/'(\w+)'/g)].map((m) => `inkwright.${m[1]}`);
  assert.equal(keys.length, 7);
  for (const key of [...keys, 'inkwright.trustedFolders', 'inkwright.server.path']) assert.ok(restricted.includes(key), key);
});

test('the types are not newer than the editor that is asked for', async () => {
  const { engines, devDependencies } = await json('package.json');
  assert.equal(engines.vscode, `^${devDependencies['@types/vscode']}`);
});
