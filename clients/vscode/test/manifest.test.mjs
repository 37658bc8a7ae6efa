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

test('what is said in the manifest and in the code alike is said alike in Chinese', async () => {
  const [en, zh, bundle] = await Promise.all(['package.nls.json', 'package.nls.zh-cn.json', 'l10n/bundle.l10n.zh-cn.json'].map(json));
  // The name is written as the writer's page has it, and the view is the book itself, not a sum over it.
  const apart = ['displayName', 'category', 'view.book'];
  const other = Object.keys(en).filter((key) => !apart.includes(key) && Object.hasOwn(bundle, en[key]) && bundle[en[key]] !== zh[key]);
  assert.deepEqual(other, []);
  const all = [...Object.values(zh), ...Object.values(bundle)].filter((text) => /接受全部|拒绝全部/.test(text));
  assert.deepEqual(all, [], 'accepting all is called one thing: 全部接受');
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

/** Whether a condition of the manifest holds; of what stands in none of ours nothing is known. */
function holds(when, context) {
  return when.split(' || ').some((all) => all.split(' && ').every((part) => {
    const [, not, key, is, value] = part.match(/^(!?)([\w.]+)(?: (==|!=|>) (\S+))?$/) ?? assert.fail(part);
    if (is === '>') return (context[key] ?? 0) > Number(value);
    if (is) return (context[key] === value) === (is === '==');
    return Boolean(context[key]) !== Boolean(not);
  }));
}

test('in the review the palette has the abilities, the decisions, and undo by its keys on the side that is read only', async () => {
  const { contributes } = await json('package.json');
  const hidden = new Map(contributes.menus.commandPalette.map(({ command, when }) => [command, when]));
  const offered = (context) => contributes.commands.map(({ command }) => command.replace('inkwrightClient.', ''))
    .filter((name) => !hidden.has(`inkwrightClient.${name}`) || holds(hidden.get(`inkwrightClient.${name}`), context));
  const review = { editorLangId: 'markdown', resourceScheme: 'inkwright-proposal', 'inkwright.reviewing': true };
  const there = offered(review);
  for (const name of ['polish', 'run', 'again', 'pipeline', 'showContext', 'summary', 'acceptHunk', 'rejectHunk', 'acceptAll', 'rejectAll', 'nextHunk']) {
    assert.ok(there.includes(name), name);
  }
  assert.ok(!there.includes('review'), 'it is open');
  const page = offered({ editorLangId: 'markdown', resourceScheme: 'inkwright-answer' });
  assert.deepEqual(['polish', 'run', 'review', 'acceptAll'].filter((name) => page.includes(name)), []);
  // With a page in front (the walkthrough, the progress) they are about the chapter that is open behind it.
  const behind = offered({ workspaceFolderCount: 1 });
  assert.deepEqual(['polish', 'run', 'pipeline', 'follow', 'review'].filter((name) => !behind.includes(name)), []);
  const elsewhere = [...offered({}), ...offered({ editorLangId: 'python', workspaceFolderCount: 1 })];
  assert.deepEqual(['polish', 'run', 'pipeline', 'follow', 'review'].filter((name) => elsewhere.includes(name)), []);
  const keys = (context) => contributes.keybindings.filter(({ when }) => holds(when, context)).map(({ key }) => key);
  const undo = ['ctrl+z', 'ctrl+y', 'ctrl+shift+z'];
  const right = { ...review, editorTextFocus: true, editorReadonly: true };
  assert.deepEqual(keys(right).filter((key) => undo.includes(key)).sort(), [...undo].sort());
  for (const other of [{ ...right, editorReadonly: false }, { ...right, resourceScheme: 'file' }, { ...right, editorTextFocus: false }]) {
    assert.deepEqual(keys(other).filter((key) => undo.includes(key)), [], 'elsewhere the keys are the editor\'s own');
  }
});
