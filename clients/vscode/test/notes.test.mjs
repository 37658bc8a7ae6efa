import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './source.mjs';

const { noted } = await load('notes');

test("the prompt's own separator is a heading, however a model writes it", () => {
  for (const line of ['=== Notes ===', '=== 修改说明 ===', '**=== notes: ===**', '  ===修订说明===', '=== Notes ===\r']) {
    assert.equal(noted(`a\n${line}\nb`, 'N'), 'a\n\n## N\n\nb', line);
  }
});

test('nothing stands over notes that come first, and what is no separator stays to the letter', () => {
  assert.equal(noted('\n=== Notes ===\nb', 'N'), '\nb');
  for (const text of ['a\r\n\r\nb\n', '=== The End ===', 'a === Notes === b', '', '====']) assert.equal(noted(text, 'N'), text);
});
