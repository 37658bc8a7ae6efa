// Scenes of what should not happen: hostile words of a model, a server that dies, hundreds of changes, two windows.

import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { openWorkbench } from './driver.mjs';
import { panelOf } from './scenes_run.mjs';

const LINES = 300;

export function rough({ until, shots, book, slow, servers }) {
  const shot = (code, name) => code.screenshot(path.join(shots, `${name}.png`));
  const critic = async (code) => {
    await code.choose('Inkwright: Run an Ability…', 'A critic', 'without further words');
  };

  return {
    async rough(code, server) {
      const asked = [];
      const outside = http.createServer((request, response) => { asked.push(request.url); response.end(); });
      await new Promise((resolve) => { outside.listen(0, '127.0.0.1', resolve); });
      const url = `http://127.0.0.1:${outside.address().port}`;
      try {
        await play(code, server, url, asked);
      } finally {
        outside.close();
      }
    },
  };

  async function play(code, server, url, asked) {
    const { page } = code;
    const panel = panelOf(code);
    const cells = (n) => `|${Array.from({ length: 12 }, (_, at) => ` ${n}.${at} `).join('|')}|\n`;
    const hostile = [
      `<script>document.title = 'owned'</script>\n<iframe src="${url}/frame"></iframe>\n\n`,
      `![a](${url}/picture.png) ![b][r] <${url}/auto> [c](javascript:alert(1)) [d](command:workbench.action.quit) [e](data:text/html,x)\n\n[r]: ${url}/reference.png\n\n`,
      `\u001b[31mred\u001b[0m \u202etfel ot thgir\u202c \u0000 \ufffd \ud83d\n\n`,
      `${cells(0)}|${' --- |'.repeat(12)}\n${Array.from({ length: 800 }, (_, at) => cells(at + 1)).join('')}\n`,
      ...Array.from({ length: 30 }, (_, at) => `${'雨 '.repeat(8000)}${at}\n\n`),
      'THE END',
    ];
    await slow.plan(hostile, hostile.length - 1);
    await code.openFile('第一章 雨夜.md');
    await code.hover('林晚秋', { match: /剑客/ });
    await critic(code);
    await until('all but the end is there', async () => (await slow.state()).sent === hostile.length - 1);
    const began = Date.now();
    await panel.at('#text').filter({ hasText: '雨 29' }).waitFor();
    assert.equal(await panel.at('#text :is(img, a, script, iframe, svg, style)').count(), 0);
    await shot(code, 'rough-hostile');
    await slow.go();
    await panel.state('completed');
    console.log(`half a megabyte: ${Date.now() - began} ms`);
    await panel.at('#text').filter({ hasText: 'THE END' }).waitFor();
    await panel.act('Open as a Page').click();
    await page.locator('.tab[data-resource-name="Analysis.md"]').waitFor();
    assert.deepEqual(asked, []);

    // The server dies while it works.
    await slow.plan(['One. ', 'Two. ', 'Three.'], 2);
    await code.openFile('第一章 雨夜.md');
    await critic(code);
    await panel.at('#text').filter({ hasText: 'Two.' }).waitFor();
    const [first] = await servers(server);
    process.kill(first, 'SIGKILL');
    await panel.state('failed');
    await panel.at('#trouble').getByText('The Inkwright server ended before it answered.', { exact: true }).waitFor();
    await shot(code, 'rough-killed');
    assert.match(await panel.at('#text').innerText(), /Two\./);
    await until('another server', async () => (await servers(server)).some((pid) => pid !== first));
    await slow.plan(['All is well.'], 1);
    await panel.act('Try Again').click();
    await panel.state('completed');
    await panel.at('#text').filter({ hasText: 'All is well.' }).waitFor();

    // Closed while it works; undone while changes wait.
    const chapter = path.join(book, '第一章 雨夜.md');
    const original = await fs.readFile(chapter, 'utf8');
    const body = original.slice(original.indexOf('# 第一章'));
    await slow.plan([body.slice(0, 20), body.slice(20).replace('灭了。。', '灭了。').replace('以经', '已经')], 1);
    await code.openFile('第一章 雨夜.md');
    await code.command('Inkwright: Polish the Selection or Chapter');
    await until('it streams', async () => (await slow.state()).sent === 1);
    await code.openFile('第一章 雨夜.md');
    await code.command('View: Close Editor');
    await page.locator('.tab[data-resource-name="第一章 雨夜.md"]').waitFor({ state: 'detached' });
    await slow.go();
    await panel.state('completed');
    await panel.at('#waiting').filter({ hasText: 'wait: 2.' }).waitFor();
    await code.openFile('第一章 雨夜.md');
    await code.doing(async () => {
      await code.goTo(1, 1);
      await page.keyboard.press('Alt+BracketRight');
    }, async () => /Ln 1[0-9]/.test((await code.statusBar()).join(' ')));
    await page.keyboard.press('Alt+Enter');
    await panel.at('#waiting').filter({ hasText: 'wait: 1.' }).waitFor();
    await page.keyboard.press('Control+Z');
    await page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
    // What was taken back waits again.
    await panel.at('#waiting').filter({ hasText: 'wait: 2.' }).waitFor();
    await panel.act('Accept all').click();
    await until('the other is in the text', async () => (await code.visibleLines()).some((line) => line.includes('已经')));
    await until('nothing waits', async () => await panel.act('Review').count() === 0);
    await shot(code, 'rough-undone');
    await code.save();

    // Hundreds of changes, by keys.
    const lines = Array.from({ length: LINES }, (_, at) => `第${at + 1}句话里她一但走了。`);
    const long = path.join(book, '长章.md');
    await fs.writeFile(long, `${lines.join('\n\n')}\n`);
    await slow.plan([`${lines.join('\n\n').replaceAll('一但', '一旦')}\n`], 1);
    await code.openFile('长章.md');
    await code.command('Inkwright: Polish the Selection or Chapter');
    await panel.state('completed');
    await panel.at('#waiting').filter({ hasText: `wait: ${LINES}.` }).waitFor();
    await code.goTo(1, 1);
    const keys = Date.now();
    for (let at = 0; at < 3; at += 1) await page.keyboard.press('Alt+Enter');
    await panel.at('#waiting').filter({ hasText: `wait: ${LINES - 3}.` }).waitFor();
    await page.keyboard.press('Alt+Delete');
    await panel.at('#waiting').filter({ hasText: `wait: ${LINES - 4}.` }).waitFor();
    console.log(`four keys: ${Date.now() - keys} ms`);
    await shot(code, 'rough-many');

    // The same book in another window: what was decided here is decided there.
    const other = await openWorkbench(server, { folder: book });
    try {
      await code.save();
      await other.openFile('长章.md');
      await other.page.locator('.view-line span[class*="ced-"]').filter({ hasText: '但' }).first().waitFor();
      await other.doing(async () => {
        await other.goTo(1, 1);
        await other.page.keyboard.press('Alt+BracketRight');
      }, other.page.locator('.part.statusbar').getByText('Ln 9, Col 1'));
      await other.page.keyboard.press('Alt+Enter');
      await other.page.locator('.tab.active.dirty').waitFor();
      await other.save();
      await until('it is seen here', async () => (await fs.readFile(long, 'utf8')).split('一旦').length === 5 && (await code.visibleLines()).some((line) => line.includes('第5句话里她一旦')));
      await panel.at('#waiting').filter({ hasText: `wait: ${LINES - 5}.` }).waitFor();
      await code.goTo(9, 1);
      await page.keyboard.press('Alt+Enter');
      await code.waitNotification('No change waits at this place.');
      // What was rejected there has left no trace in the text: it is told all the same, whoever is in front.
      await other.goTo(11, 1);
      await other.page.keyboard.press('Alt+Delete');
      await panel.at('#waiting').filter({ hasText: `wait: ${LINES - 6}.` }).waitFor();
      await shot(code, 'rough-two');
      await code.openFile('长章.md');
      await code.command('Inkwright: Accept All Changes');
      await until('all is decided', async () => await panel.act('Review').count() === 0);
      await code.save();
      const saved = await fs.readFile(long, 'utf8');
      assert.equal(saved.split('一但').length, 3, 'what was rejected is as it was');
    } finally {
      await other.close();
    }
  }
}
