import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './source.mjs';

const { short, tail } = await load('places');

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
