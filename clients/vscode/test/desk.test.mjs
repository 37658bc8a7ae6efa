import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './source.mjs';

const { fit } = await load('versions');
const { Crashes } = await load('crashes');
const { filled, inARow, page } = await load('chart');
const { Sitting } = await load('sitting');

test('before 1.0 the second number must agree, then a newer server still speaks with an older extension', () => {
  for (const [server, extension, expected] of [
    ['0.1.0', '0.1.0', 'fits'], ['0.1.9', '0.1.0', 'fits'], ['0.1.0.dev3', '0.1.0', 'fits'],
    ['0.1.0', '0.2.0', 'older'], ['0.3.0', '0.2.0', 'newer'], ['1.0.0', '0.9.0', 'newer'],
    ['1.4.0', '1.2.0', 'fits'], ['1.1.0', '1.2.0', 'older'], ['2.0.0', '1.2.0', 'newer'],
    [undefined, '0.1.0', 'unknown'], ['', '0.1.0', 'unknown'], ['main', '0.1.0', 'unknown'],
  ]) assert.equal(fit(server, extension), expected, `${server} ${extension}`);
});

test('a server that ends is started again three times in three minutes', () => {
  const crashes = new Crashes();
  assert.deepEqual([0, 1, 2, 3].map((second) => crashes.again(second * 1000)), [true, true, true, false]);
  assert.equal(crashes.again(200_000), true);
  crashes.forget();
  assert.deepEqual([300_000, 300_001, 300_002, 300_003].map((time) => crashes.again(time)), [true, true, true, false]);
});

test('days without a word are there, across the end of a month', () => {
  const days = filled([{ day: '2026-02-28', count: 5 }, { day: '2026-03-02', count: 7 }], '2026-03-02', 4);
  assert.deepEqual(days.map(({ day, count }) => `${day} ${count}`), ['2026-02-27 0', '2026-02-28 5', '2026-03-01 0', '2026-03-02 7']);
});

test('days in a row end at a day without a word, which today is not yet', () => {
  const row = (...counts) => inARow(counts.map((count, index) => ({ day: String(index), count })));
  assert.deepEqual([row(), row(0), row(0, 3), row(3, 4, 0), row(3, 0, 0), row(1, -2, 5), row(1, 2)], [0, 0, 1, 2, 0, 1, 2]);
});

test('the page of progress runs nothing, loads nothing, and says everything twice: drawn and in a table', () => {
  const texts = {
    language: 'zh-cn', title: '<写作>', facts: [['今日', '7 / 5']], described: '每天 "字数"', goal: '目标', day: '日期',
    count: '字数', reached: '达到', empty: '没有',
    acts: [{ label: '设置 <目标>…', command: 'inkwrightClient.setDailyGoal' }],
  };
  const days = filled([{ day: '2026-03-01', count: -3 }, { day: '2026-03-02', count: 1234 }], '2026-03-02', 30);
  const html = page(days, 1000, texts, 'abc=');
  assert.match(html, /Content-Security-Policy" content="default-src 'none'; style-src 'nonce-abc='"/);
  assert.doesNotMatch(html, /<script|\bon\w+=|style="|https?:|<写作>|每天 "/);
  assert.match(html, /<html lang="zh-cn">/);
  assert.match(html, /&lt;写作&gt;/);
  assert.equal(html.match(/<rect /g).length, 30);
  assert.doesNotMatch(html, /height="-|NaN/);
  assert.equal(html.match(/<rect class="bar reached"/g).length, 1);
  assert.match(html, /<th scope="row">2026-03-02<\/th><td>1,234 <span class="reached">✓<span class="unseen"> 达到/);
  assert.match(html, /<th scope="row">2026-03-01<\/th><td>-3</);
  assert.match(html, /role="img" aria-label="每天 &quot;字数&quot;"/);
  assert.match(html, /<a href="command:inkwrightClient.setDailyGoal">设置 &lt;目标&gt;…<\/a>/, 'a goal is set from here');
  assert.match(page(filled([], '2026-03-02', 30), 0, texts, 'n'), /<p>没有<\/p>/);
});

test('a sitting begins at nothing, for each book', () => {
  const sitting = new Sitting();
  assert.deepEqual([['a', 100], ['a', 130], ['b', 7], ['a', 90]].map(([root, today]) => sitting.gained(root, today)), [0, 30, 0, -10]);
});
