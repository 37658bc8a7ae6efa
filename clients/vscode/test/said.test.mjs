import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load } from './source.mjs';

const { oneLine, unlinked, why } = await load('said');
// What VS Code makes a link of in a message.
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

test('no text of others becomes a link in a message', () => {
  const bait = 'The host says [Sign in](command:workbench.action.terminal.new) and [more](https://evil.example/x "y")';
  assert.match(bait, LINK);
  assert.doesNotMatch(unlinked(bait), LINK);
  assert.doesNotMatch(why(new Error(bait)), LINK);
  assert.doesNotMatch(why(bait), LINK);
  assert.equal(unlinked('第[3]章 (渡口)'), '第[3]章 (渡口)');
});

test('every message of an error goes through it', () => {
  const folder = new URL('../src/', import.meta.url);
  for (const name of readdirSync(folder)) {
    const source = readFileSync(new URL(name, folder), 'utf8');
    for (const call of source.match(/show(?:Error|Warning|Information)Message\([^;]*;/g) ?? []) {
      assert.doesNotMatch(call, /error\.message|String\(error\)/, `${name}: ${call}`);
    }
  }
});

test('lines that become one stay apart', () => {
  assert.equal(oneLine('Short sentences\nFew adjectives\r\n结尾留白'), 'Short sentences Few adjectives 结尾留白');
  assert.equal(oneLine('one line'), 'one line');
});
