import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './source.mjs';

const { Tree, vscode } = await load('tree');

/** A view of a list that may change, and how often the editor was told to ask for it anew. */
async function view(visible = true) {
  const rows = { now: [{ label: '雨夜', acts: { pin: () => 1 }, of: 1 }], loaded: 0 };
  const tree = new Tree('a view', () => {
    rows.loaded += 1;
    return Promise.resolve(rows.now);
  });
  tree.view.visible = visible;
  let told = 0;
  tree.onDidChangeTreeData(() => (told += 1));
  await tree.getChildren();
  return { tree, rows, told: () => told };
}

test('rows that are as they were are not taken away under the mouse', async () => {
  const { tree, rows, told } = await view();
  rows.now = [{ label: '雨夜', acts: { pin: () => 2 }, of: 1 }];
  await tree.refresh();
  assert.equal(told(), 0);
});

test('rows that are others are there when the editor hears of it', async () => {
  const { tree, rows, told } = await view();
  for (const other of [{ label: '归途' }, { label: '归途', acts: { pin: () => 1 } }, { label: '归途', acts: { unpin: () => 1 } }, { label: '归途', acts: { unpin: () => 1 }, of: 2 }]) {
    const before = told();
    rows.now = [other];
    await tree.refresh();
    assert.equal(told(), before + 1);
    const { loaded } = rows;
    assert.deepEqual(await tree.getChildren(), [other]);
    assert.equal(rows.loaded, loaded);
  }
  rows.now = [];
  assert.deepEqual(await tree.getChildren(), [], 'what was taken once is not given again');
});

test('of two loads the later one counts, and of two answers that to the last question', async () => {
  const { tree, rows, told } = await view();
  rows.now = [{ label: 'a' }];
  const first = tree.refresh();
  rows.now = [{ label: 'b' }];
  await Promise.all([first, tree.refresh()]);
  assert.equal(told(), 1);
  assert.deepEqual(await tree.getChildren(), [{ label: 'b' }]);
});

test('a view out of sight loads nothing', async () => {
  const { tree, rows, told } = await view(false);
  const { loaded } = rows;
  await tree.refresh();
  assert.equal(rows.loaded, loaded);
  assert.equal(told(), 1);
});
