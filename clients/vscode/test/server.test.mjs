import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { load } from './source.mjs';

const { find } = await load('server');
let home;
before(async () => (home = await mkdtemp(path.join(os.tmpdir(), 'inkwright find '))));
after(() => rm(home, { recursive: true }));

async function program(...parts) {
  const file = path.join(home, ...parts);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, '');
  await chmod(file, 0o755);
  return file;
}

const places = (more) => ({ setting: '', trusted: [], home, environment: { PATH: '' }, windows: false, ...more });

test('the setting wins, and a wrong one is not searched around', async () => {
  const set = await program('set', '墨匠');
  const onPath = await program('bin', 'inkwright');
  const environment = { PATH: path.dirname(onPath) };
  assert.deepEqual(await find(places({ setting: set, environment })), { program: set, by: 'setting' });
  assert.deepEqual(await find(places({ setting: '/no/such', environment })), { program: undefined, tried: '/no/such' });
});

test('the PATH comes before the workspace, and only absolute folders of it count', async () => {
  const onPath = await program('bin', 'inkwright');
  const inFolder = await program('book', '.venv', 'bin', 'inkwright');
  const trusted = [path.join(home, 'book')];
  const found = await find(places({ environment: { PATH: path.dirname(onPath) }, trusted }));
  assert.deepEqual(found, { program: onPath, by: 'path' });
  const relative = await find(places({ environment: { PATH: path.relative(process.cwd(), path.dirname(onPath)) }, trusted }));
  assert.deepEqual(relative, { program: inFolder, by: 'workspace' });
});

test("where uv and pipx put it comes after the PATH, trusted window or not", async () => {
  const own = await program('user', '.local', 'bin', 'inkwright');
  const inFolder = await program('book', '.venv', 'bin', 'inkwright');
  const onPath = await program('bin', 'inkwright');
  const user = { home: path.join(home, 'user') };
  assert.deepEqual(await find(places(user)), { program: own, by: 'home' });
  assert.deepEqual(await find(places({ ...user, trusted: [path.dirname(path.dirname(path.dirname(inFolder)))] })), { program: own, by: 'home' });
  assert.deepEqual(await find(places({ ...user, environment: { PATH: path.dirname(onPath) } })), { program: onPath, by: 'path' });
  const windows = await program('windows', '.local', 'bin', 'inkwright.exe');
  assert.deepEqual(await find(places({ home: path.join(home, 'windows'), windows: true })), { program: windows, by: 'home' });
});

test('a folder that is not trusted runs nothing', async () => {
  await program('book', '.venv', 'bin', 'inkwright');
  assert.deepEqual(await find(places({})), { program: undefined, tried: '' });
});

test('a file without the right to run and a folder of that name are no programs', async () => {
  const file = await program('plain', 'inkwright');
  await chmod(file, 0o644);
  await mkdir(path.join(home, 'folder', 'inkwright'), { recursive: true });
  const PATH = [path.dirname(file), path.join(home, 'folder')].join(path.delimiter);
  assert.deepEqual(await find(places({ environment: { PATH } })), { program: undefined, tried: '' });
});

test('the variables of the setting mean the home and the folder', async () => {
  const file = await program('book', 'tools', 'ink');
  const trusted = [path.join(home, 'book')];
  for (const setting of ['${workspaceFolder}/tools/ink', 'tools/ink']) {
    assert.deepEqual(await find(places({ setting, trusted })), { program: file, by: 'setting' });
  }
  assert.deepEqual(await find(places({ setting: '~/no-such-ink' })), {
    program: undefined,
    tried: path.join(os.homedir(), 'no-such-ink'),
  });
});
