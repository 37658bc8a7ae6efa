import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './source.mjs';

const { book, moved, place, short, tail, vscode } = await load('places');

test('a text is cut at the end of a word, never within one', () => {
  for (const [text, length, expected] of [
    ['Fifteen men sat down', 6, 'Fifteen…'], ['The old man sat', 8, 'The old…'], ['Fifteen', 6, 'Fifteen'],
    ['a\n b', 6, 'a b'], ['', 6, ''], ['“Fifteen men', 6, '“Fifteen…'],
  ]) assert.equal(short(text, length), expected);
});

test('what is no word ends where it must, in whole characters', () => {
  assert.equal(short('x'.repeat(50), 6), `${'x'.repeat(20)}…`);
  const cut = short('他把刀放在桌上，看了很久很久', 6);
  assert.ok(cut.endsWith('…') && '他把刀放在桌上'.startsWith(cut.slice(0, -1)) && cut.length > 3, cut);
  assert.equal(short('👩‍👩‍👧'.repeat(9), 3), `${'👩‍👩‍👧'.repeat(3)}…`);
});

test('of a long path the end is shown, with a sign', () => {
  for (const [path, expected] of [
    ['', ''], ['inkwright', 'inkwright'], ['/usr/inkwright', '/usr/inkwright'], ['/home/me/.local/bin/inkwright', '…/bin/inkwright'],
    ['C:\\Users\\me\\bin\\inkwright.exe', '…/bin\\inkwright.exe'],
  ]) assert.equal(tail(path), expected);
});

test('a command about the book is about the one that the writer looks at: of an answer, the one it came from', async () => {
  const { window, workspace, Uri } = vscode;
  const root = { uri: Uri.parse('file:///writing') };
  workspace.workspaceFolders = [root];
  workspace.getWorkspaceFolder = (uri) => (uri.toString().startsWith('file:///writing/') ? root : undefined);
  const shown = (text) => ({ document: { uri: Uri.parse(text) } });
  const chapter = 'file:///writing/outer/1.md';
  const other = 'file:///writing/inner/1.md';
  const answer = `inkwright-answer://page/Pipeline.md?run-1#${encodeURIComponent(other)}`;
  for (const [active, visible, expected] of [
    [chapter, [chapter], chapter],
    [answer, [chapter, answer], other],
    // A page of the server's own, and one that nobody can see through.
    ['file:///cache/page.md', ['file:///cache/page.md', other], other],
    ['inkwright-answer://page/Old.md?run-1', [chapter], chapter],
  ]) {
    window.activeTextEditor = shown(active);
    window.visibleTextEditors = visible.map(shown);
    assert.equal((await book()).toString(), expected);
    assert.equal(place(), expected);
  }
  window.activeTextEditor = undefined;
  window.visibleTextEditors = [];
  // Covered by a page that is no text: it is the one that was looked at last, while its folder is there.
  assert.equal((await book()).toString(), chapter);
  assert.equal(place(), chapter);
  workspace.getWorkspaceFolder = () => undefined;
  assert.equal((await book()).toString(), 'file:///writing');
  assert.equal(place(), 'file:///writing/');
});

test('what lies in a folder that is renamed has another name, what only begins like it has not', () => {
  const uri = (path) => ({ scheme: 'file', authority: '', path, with: (part) => uri(part.path), toString: () => `file://${path}` });
  const to = (path, from, now) => moved(uri(path), uri(from), uri(now))?.path;
  assert.equal(to('/书/第一章.md', '/书/第一章.md', '/书/江边.md'), '/书/江边.md');
  assert.equal(to('/书/卷一/第一章.md', '/书/卷一', '/书/卷二'), '/书/卷二/第一章.md');
  assert.equal(to('/书/卷一下/第一章.md', '/书/卷一', '/书/卷二'), undefined);
  assert.equal(to('/书/第一章.md', '/书/第二章.md', '/书/江边.md'), undefined);
});
