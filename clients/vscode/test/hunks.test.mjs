import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './source.mjs';

const { before, compose, at, onward } = await load('hunks');
const piece = (index, start, end, after) => ({ proposal: 'p', index, start, end, before: '', after, findings: [] });

test('every piece stands where its new text is', () => {
  const text = '林晚秋😀走了。又来了。';
  const { text: out, placed } = compose(text, [piece(1, 9, 11, '回来'), piece(0, 0, 3, '林晚'), piece(2, 12, 12, '完')]);
  assert.equal(out, '林晚😀走了。又回来。完');
  for (const { piece: p, start, end } of placed) assert.equal(out.slice(start, end), p.after);
  assert.deepEqual(placed.map((one) => one.piece.index), [0, 1, 2]);
});

test('random pieces compose to what applying them from the end gives', () => {
  let seed = 7;
  const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
  for (let round = 0; round < 300; round += 1) {
    const text = Array.from({ length: random(40) }, () => '林a😀\n。'[random(5)] ?? 'x').join('');
    const pieces = [];
    for (let from = 0, index = 0; from <= text.length; index += 1) {
      const start = from + random(6);
      const end = start + random(4);
      if (end > text.length) break;
      pieces.push(piece(index, start, end, 'n'.repeat(random(5))));
      from = end + 1;
    }
    const expected = [...pieces].reverse().reduce((t, p) => t.slice(0, p.start) + p.after + t.slice(p.end), text);
    const { text: out, placed } = compose(text, [...pieces].sort(() => random(2) - 0.5));
    assert.equal(out, expected);
    assert.equal(placed.length, pieces.length);
  }
});

test('of two that overlap the later one is left out, and one beyond the end too', () => {
  const { text, placed } = compose('abcdef', [piece(0, 0, 3, 'X'), piece(1, 2, 4, 'Y'), piece(2, 5, 9, 'Z')]);
  assert.equal(text, 'Xdef');
  assert.deepEqual(placed.map((one) => one.piece.index), [0]);
});

test('of two proposals for the same words the newer one is seen, what does not overlap of both', () => {
  const of = (proposal, index, start, end, after) => ({ ...piece(index, start, end, after), proposal });
  const { text, placed } = compose('abcdefghi', [of('old', 0, 0, 3, 'X'), of('old', 1, 7, 8, 'Y'), of('new', 0, 1, 2, 'Z'), of('new', 1, 5, 5, '+')]);
  assert.equal(text, 'aZcde+fgYi');
  assert.deepEqual(placed.map(({ piece: { proposal, index } }) => [proposal, index]), [['new', 0], ['new', 1], ['old', 1]]);
});

test('the hunk at a place is the one that holds it, else the nearest on its line', () => {
  const all = [{ start: 2, end: 4 }, { start: 8, end: 10 }, { start: 30, end: 31 }];
  assert.equal(at(all, 9, 0, 20), all[1]);
  assert.equal(at(all, 7, 0, 20), all[1]);
  assert.equal(at(all, 0, 0, 20), all[0]);
  assert.equal(at(all, 25, 21, 28), undefined);
});

test('where one hunk ends and the next begins it is the next, and none is passed over', () => {
  const all = [{ start: 0, end: 12 }, { start: 12, end: 24 }, { start: 24, end: 24 }, { start: 24, end: 30 }];
  assert.equal(at(all, 12, 0, 40), all[1]);
  assert.equal(at(all, 24, 0, 40), all[2]);
  assert.equal(at(all, 30, 0, 40), all[3]);
  // By keys: on from the cursor, and from where the one stood that was decided, wherever the cursor is then.
  assert.equal(onward(all, 0, 1), all[1]);
  assert.equal(onward(all, 12, -1), all[0]);
  assert.equal(onward(all, 0, -1), all[3]);
  assert.equal(onward(all.slice(1), 12, 1, true), all[1]);
  assert.equal(onward([all[3]], 24, 1, true), all[3]);
  assert.equal(onward([all[0]], 12, 1, true), all[0]);
  assert.equal(onward([], 0, 1), undefined);
});

test('what two texts share at both ends is never half a character, and never counted twice', async () => {
  const { shared } = await load('hunks');
  for (const [before, after] of [['门,雨', '门，雨'], ['😀a', '😁a'], ['a😀', 'a😁'], ['aa', 'aaa'], ['', '新'], ['旧', ''], ['一一一', '一']]) {
    const { front, back } = shared(before, after);
    const changed = after.slice(front, after.length - back);
    assert.equal(before.slice(0, front) + changed + before.slice(before.length - back), after);
    assert.ok(front + back <= Math.min(before.length, after.length));
    assert.ok(changed.isWellFormed(), changed);
  }
});

test('whole words are struck out and written anew, of scripts without blanks single characters', async () => {
  const { sharedWords } = await load('hunks');
  for (const [before, after, old, fresh] of [
    ['Seventeen coins', 'Sixteen coins', 'Seventeen', 'Sixteen'],
    ['she recieved it', 'she received it', 'recieved', 'received'],
    ['a cat.', 'a cats.', 'cat', 'cats'],
    ['the old door', 'the very old door', '', 'very '],
    ["don't go", 'do not go', "don't", 'do not'],
    ['cafe\u0301s', 'cafes', 'cafe\u0301s', 'cafes'],
    ['看着河', '望着河', '看', '望'],
    ['他走走了', '他走了', '走', ''],
    ['门,雨', '门，雨', ',', '，'],
    ['第12章', '第13章', '12', '13'],
    ['😀a', '😁a', '😀', '😁'],
    ['word', '', 'word', ''],
    ['', 'word', '', 'word'],
    ['дома', 'домах', 'дома', 'домах'],
  ]) {
    const { front, back } = sharedWords(before, after);
    assert.deepEqual([before.slice(front, before.length - back), after.slice(front, after.length - back)], [old, fresh]);
  }
});

test('a selection on the right side stands for the chapter\'s own words, a changed place as a whole', () => {
  const text = '甲乙丙丁戊己';
  const { text: out, placed } = compose(text, [piece(0, 1, 2, '一二三'), piece(1, 3, 4, ''), piece(2, 5, 5, '七')]);
  assert.equal(out, '甲一二三丙戊七己');
  const stands = (words) => {
    const from = out.indexOf(words);
    return text.slice(...before(placed, from, from + words.length));
  };
  assert.deepEqual(['甲', '一', '二三丙', '丙', '戊', '七己', '甲一', '三', out].map(stands), ['甲', '乙', '乙丙', '丙', '戊', '己', '甲乙', '乙', text]);
  assert.deepEqual([0, 1, 2, 4, 5, 8].map((offset) => before(placed, offset, offset)[0]), [0, 1, 2, 2, 3, 6]);
});
