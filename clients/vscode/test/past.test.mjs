import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './source.mjs';

const { Past, vscode } = await load('past');
const chapter = vscode.Uri.parse('file:///book/1.md');
const run = (requestId, more) => ({
  requestId, ability: 'polish', label: 'Polish', status: 'completed', model: 'm', message: '', uri: chapter.toString(),
  path: '1.md', text: 'An answer.', createdAt: '2026-03-01T10:00:00Z', ...more,
});

/** What is followed of these runs, newest first, and what the writer is asked or told. */
async function followed(...runs) {
  const out = { asked: undefined, told: undefined, follow: undefined };
  vscode.window.answers = ({ prompt }) => (out.asked = prompt) && 'And the dialogue?';
  vscode.window.showInformationMessage = (text, ...buttons) => Promise.resolve(void (out.told = [text, ...buttons]));
  const connection = { execute: () => Promise.resolve({ runs, next: null }) };
  await new Past(connection, { run: ({ follow }) => (out.follow = follow) }, {}, () => undefined).follow(undefined, chapter);
  return out;
}

test('a further message goes on from the last answer about the chapter', async () => {
  const found = await followed(run('a'), run('b'));
  assert.equal(found.follow, 'a');
  assert.doesNotMatch(found.asked, /brought no answer/);
  assert.equal((await followed(run('other', { uri: 'file:///book/2.md' }), run('a'))).follow, 'a');
  assert.equal((await followed(run('p', { pipeline: 'breakdown' }), run('a'))).follow, 'a', 'a pipeline is no conversation');
});

test('behind a run that failed it goes on from the answer before, and says so', async () => {
  for (const more of [{ status: 'failed', text: '' }, { status: 'cancelled', text: 'half' }, { status: 'interrupted' }, { status: 'partial', text: '' }]) {
    const found = await followed(run('failed', more), run('a'));
    assert.equal(found.follow, 'a', JSON.stringify(more));
    assert.match(found.asked, /brought no answer/);
  }
});

test('where there is no answer that is said, and an ability is one click away', async () => {
  for (const [runs, told] of [[[], /^Nothing was run/], [[run('f', { status: 'failed', text: '' })], /brought no answer/], [[run('r', { status: 'running', text: '' })], /^Nothing was run/]]) {
    const found = await followed(...runs);
    assert.deepEqual([found.follow, found.asked], [undefined, undefined]);
    assert.match(found.told[0], told);
    assert.equal(found.told.length, 2);
  }
});
