import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './source.mjs';

const { blocks } = await load('../panel/blocks');
const html = (text) => blocks(text).join('');

test('what a model writes is no HTML, leads nowhere and loads nothing', () => {
  for (const text of ['<script>x</script>', '<img src=x onerror=y>', '![a](https://a.example/b.png)', '[a](command:b)', '<https://a.example>', '[a][b]\n\n[b]: https://a.example', 'https://a.example']) {
    assert.doesNotMatch(html(text), /<(a|img|script)\b/, text);
  }
  assert.match(html('<b>'), /&lt;b&gt;/);
});

test('the columns of a table stand as they were written, without a style that the page would forbid', () => {
  const table = html('| a | b |\n| ---: | --- |\n| 1 | 2 |');
  assert.match(table, /<th align="right">a<\/th>\s*<th>b<\/th>/);
  assert.match(table, /<td align="right">1<\/td>/);
  assert.doesNotMatch(table, /style/);
});

test('a text that grows changes its last block alone', () => {
  const whole = '# 雨夜\n\n林晚秋**推开**门。\n\n- 一\n- 二\n\n她笑了。';
  let before = [];
  for (let length = 1; length <= whole.length; length += 1) {
    const now = blocks(whole.slice(0, length));
    for (const [index, one] of before.slice(0, -1).entries()) assert.equal(now[index], one);
    before = now;
  }
  assert.equal(before.length, 4);
});

test('words between Chinese quotation marks can be strong', () => {
  assert.match(html('剑鞘上刻着**“不悔”**二字。'), /<strong>“不悔”<\/strong>/);
  assert.match(html('**停在第 2 步：**127.0.0.1 不接受'), /<strong>停在第 2 步：<\/strong>/);
  assert.match(html('a * b * c'), /a \* b \* c/);
});
