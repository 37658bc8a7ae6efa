// Scenes of what runs: the panel, the steps of a pipeline, what waits in the chapter itself, abilities of one's own.

import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';

/** The page inside the run panel. */
export function panelOf(code) {
  const frame = code.page.locator('.webview-container iframe, iframe.webview').first().contentFrame().locator('#active-frame').contentFrame();
  return {
    frame,
    at: (selector) => frame.locator(selector),
    act: (text) => frame.locator('#acts button').filter({ hasText: text }),
    state: async (text) => frame.locator('#state .chip').filter({ hasText: text }).waitFor(),
  };
}

export function runScenes({ until, counts, slow, book, body, original, chapter, shots }) {
  const shot = (code, name) => code.screenshot(path.join(shots, `${name}.png`));
  const rows = (code) => code.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');

  return {
    /** A run as it is written, followed up, hidden and shown, stopped. */
    async panel(code) {
      const panel = panelOf(code);
      const answer = ['## What works\n\nThe rain is **quiet**, and so is she.\n\n', '- <img src=x onerror="document.title=1"> the lamps\n', '- the letter [here](command:evil)\n\n', 'A third thing.'];
      await slow.plan([{ reasoning: 'She opens the door. What does the rain do?' }, { tool: 'read_chapter', arguments: { chapter_id: '第一章 雨夜.md' } }, ...answer], 5);
      await code.openFile('第一章 雨夜.md');
      await code.hover('林晚秋', { match: /剑客/ });
      await code.choose('Inkwright: Run an Ability…', 'A critic', 'without further words');
      await panel.state('running');
      await panel.at('#text strong').filter({ hasText: 'quiet' }).waitFor();
      await panel.at('#text li').nth(1).waitFor();
      assert.equal(await panel.at('#text img, #text a').count(), 0, 'what a model writes is no HTML and leads nowhere');
      assert.match(await panel.at('#text').innerText(), /<img src=x/);
      assert.equal(await panel.at('#reasoning[open]').count(), 0);
      await until('one tool was used', async () => await panel.at('#toolsList li.done').count() === 1);
      await shot(code, 'panel-running');
      await slow.go();
      await panel.state('completed');
      await panel.at('#usage').filter({ hasText: '2,400 tokens in' }).waitFor();
      await panel.at('#reasoning summary').click();
      await panel.at('#thoughts').filter({ hasText: 'What does the rain do?' }).waitFor();
      await panel.at('#tools summary').click();
      await shot(code, 'panel-completed');

      await slow.plan(['The dialogue ', 'is short. ', 'Too short.'], 2);
      await panel.at('#message').fill('And the dialogue?');
      await panel.at('#message').press('Control+Enter');
      await panel.at('#said').filter({ hasText: 'And the dialogue?' }).waitFor();
      await panel.at('#text').filter({ hasText: 'is short.' }).waitFor();
      await until('there are two', async () => await panel.at('#runs [role=tab]').count() === 2);
      await shot(code, 'panel-follow');
      await code.command('View: Toggle Panel Visibility');
      await code.page.locator('iframe.webview').waitFor({ state: 'hidden' });
      await code.command('Inkwright: Show the Run Panel');
      const again = panelOf(code);
      await again.at('#text').filter({ hasText: 'is short.' }).waitFor();
      await again.state('running');
      await again.act('Stop').click();
      await again.state('cancelled');
      await until('the model sees the close', async () => (await slow.state()).closed);
      await again.at('#follow').waitFor({ state: 'hidden' });
      await again.at('#runs [role=tab]').nth(1).click();
      await again.at('#text strong').filter({ hasText: 'quiet' }).waitFor();
      await again.act('What the Model Saw').click();
      await code.page.locator('.tab').filter({ hasText: /[0-9a-f]{12}\.md/ }).waitFor();
      await again.at('#acts button').filter({ hasText: /^Journal$/ }).click();
      await code.page.locator('.tab[data-resource-name="Journal.md"]').waitFor();
      await code.page.locator('.view-line').filter({ hasText: 'chapter_id' }).first().waitFor();
      await shot(code, 'panel-journal');

      // A window that is loaded anew has no run, and shows none.
      await code.page.reload();
      await code.page.waitForSelector('.monaco-workbench .part.statusbar');
      await code.command('Inkwright: Show the Run Panel');
      await until('the panel is there again', async () => await panelOf(code).at('#empty:visible').count());
      await shot(code, 'panel-reloaded');
    },

    /** A pipeline that fails in its second step, and goes on from there: by buttons, in Chinese, in a light theme. */
    async steps(code) {
      const panel = panelOf(code);
      await slow.plan(['雨夜。', { end: true }, { fault: 400 }, '三点。', { end: true }, '没有卡片。'], 3);
      await code.openFile('拆书第一回.md');
      await code.command('Inkwright: 对本章运行流水线');
      await panel.state('部分完成');
      await panel.at('#steps li.failed').waitFor();
      const marks = () => panel.at('#steps li').evaluateAll((all) => all.map((one) => one.className).join());
      await until('the first is done, the second failed', async () => await marks() === 'done,failed,waiting');
      await panel.at('#trouble').waitFor();
      await shot(code, 'steps-failed');
      await panel.act('继续').click();
      await panel.at('#steps li.running').waitFor();
      await shot(code, 'steps-resumed');
      await slow.go();
      await panel.state('已完成');
      await until('all are done', async () => await panel.at('#steps li.done').count() === 3);
      await code.page.setViewportSize({ width: 520, height: 900 });
      await shot(code, 'steps-narrow');
    },

    /** Changes in the chapter itself by keys, the quick fix that makes a card, the report, an ability of one's own. */
    async inline(code) {
      const { page } = code;
      const panel = panelOf(code);
      const marks = () => page.locator('.editor-instance .view-line span[class*="ced-"]').filter({ hasText: /\S/ });
      const answer = body.replace('林晚秋推开门,雨还在下。', '她推开门,雨还没有停。').replace('才听见脚步声', '才听见有人来').replace('第二天，码头上以经没有人了。', '第二天，码头上已经空了。').replace('灭了。。', '灭了。');
      await slow.plan([answer], 1);
      await code.openFile('第一章 雨夜.md');
      await code.hover('林晚秋', { match: /剑客/ });
      await code.command('Inkwright: Polish the Selection or Chapter');
      await panel.state('completed');
      await panel.at('#waiting').filter({ hasText: 'One of these may lose' }).waitFor();
      await until('the changes are marked', async () => await marks().count() >= 4);
      await code.doing(async () => {
        await code.goTo(1, 1);
        await page.keyboard.press('Alt+BracketRight');
      }, page.locator('.part.statusbar').getByText('Ln 8, Col 1'));
      await shot(code, 'inline');
      // As fast as they come.
      await page.keyboard.press('Alt+BracketRight');
      await page.keyboard.press('Alt+Enter');
      await page.locator('.tab.active.dirty').waitFor();
      await page.keyboard.press('Alt+Delete');
      await panel.at('#waiting').filter({ hasText: 'wait: 2.' }).waitFor();
      await page.keyboard.press('Alt+Shift+Enter');
      await code.waitNotification('left to you');
      await panel.at('#waiting').filter({ hasText: 'wait: 1.' }).waitFor();
      await shot(code, 'inline-decided');
      await code.save();
      const saved = await fs.readFile(chapter, 'utf8');
      assert.ok(saved.includes('林晚秋推开门,雨还在下。'), 'what loses a name is left');
      assert.notEqual(saved, original);
      // What waits is typed in: it fits no more, and that is said. An undo brings it back, marks, keys and panel.
      await until('it is marked', async () => await marks().count() > 0);
      await code.goTo(8, 4);
      await page.keyboard.type('x');
      await page.locator('.part.statusbar').getByText('No change fits any more').waitFor();
      await panel.at('#waiting').filter({ hasText: 'No longer fit' }).waitFor();
      await until('nothing is marked', async () => await marks().count() === 0);
      await page.keyboard.press('Control+Z');
      await until('it is marked again', async () => await marks().count() > 0);
      await panel.at('#waiting').filter({ hasText: 'wait: 1.' }).waitFor();
      await code.doing(async () => {
        await code.goTo(1, 1);
        await page.keyboard.press('Alt+BracketRight');
      }, page.locator('.part.statusbar').getByText('Ln 8, Col'));
      await panel.act('Reject all').click();
      await until('nothing waits', async () => await panel.act('Review').count() === 0);

      // A name in the front matter that no card has.
      await code.goTo(3, 15);
      await code.applyCodeAction('Make a card');
      await until('the card is there', () => fs.stat(path.join(book, 'cards', '沈铁匠.md')).catch(() => undefined));
      await code.command('Inkwright: Report on the Book');
      await page.locator('.tab.active').filter({ hasText: /^Report on .*[0-9a-f]{12}\.md/ }).waitFor();
      const texts = () => Promise.all(page.frames().map((frame) => frame.evaluate('document.body.innerText').catch(() => '')));
      await until('the report is drawn', async () => (await texts()).some((text) => text.includes('林晚秋') && !text.includes('Polish')));
      await shot(code, 'report');
      await code.command('Inkwright: Show Word Counts');
      await until('the counts are a table', async () => (await texts()).some((text) => /Chapter\tCount\tToday[^|]*雨夜\t\d+\t/.test(text)));
      await shot(code, 'counts');
    },

    /** Two runs in two chapters at once: one is cancelled, the other is finished and accepted; nothing of one is in the other. */
    async two(code) {
      const { page } = code;
      const panel = panelOf(code);
      const other = path.join(book, '第二章 渡口.md');
      const chapters = [
        { file: chapter, message: 'Keep it slow.', words: '雨', mark: '风', lane: slow.of('Keep it slow.') },
        { file: other, message: 'Keep it short.', words: '灯', mark: '烛', lane: slow.of('Keep it short.') },
      ];
      for (const one of chapters) {
        one.before = await fs.readFile(one.file, 'utf8');
        const text = one.before.slice(one.before.indexOf('# '));
        one.answer = text.replaceAll(one.words, one.mark);
        one.after = one.before.replace(text, one.answer);
        assert.notEqual(one.after, one.before);
        const half = one.answer.indexOf(one.mark) + 2;
        await one.lane.plan([one.answer.slice(0, half), one.answer.slice(half)], 1);
        await code.openFile(path.basename(one.file));
        const own = () => code.choose('Inkwright: Run an Ability…', 'Polish', 'In your own words…');
        await own();
        await code.answer(one.message, own);
        await until('it streams', async () => (await one.lane.state()).sent === 1);
      }
      const [red, blue] = chapters;
      const tab = (one) => panel.at('#runs [role=tab]').filter({ hasText: one.message });
      const text = (words) => panel.at('#text').filter({ hasText: words });
      await tab(red).filter({ hasText: 'running' }).waitFor();
      await tab(blue).filter({ hasText: 'running' }).waitFor();
      await text(blue.mark).waitFor();
      assert.doesNotMatch(await panel.at('#text').innerText(), /风/);
      await page.locator('.part.statusbar').getByText('Polish +1').waitFor();
      await tab(red).click();
      await text(red.mark).waitFor();
      assert.doesNotMatch(await panel.at('#text').innerText(), /烛/);
      await panel.at('#title').filter({ hasText: path.basename(red.file) }).waitFor();
      await code.side();
      const runs = page.locator('.pane').filter({ has: page.locator('.pane-header h3.title:text-is("Runs")') });
      await code.fold(runs, true);
      const listed = (one) => runs.locator('.monaco-list-row').filter({ hasText: 'running' }).filter({ hasText: path.basename(one.file) });
      await listed(red).waitFor();
      await listed(blue).waitFor();
      await shot(code, 'two-running');

      await panel.act('Stop').click();
      await panel.state('cancelled');
      await until('its connection is closed', async () => (await red.lane.state()).closed);
      await tab(blue).filter({ hasText: 'running' }).waitFor();
      assert.equal((await blue.lane.state()).closed, false);
      await listed(red).waitFor({ state: 'detached' });
      await listed(blue).waitFor();
      await blue.lane.go();
      await tab(blue).filter({ hasText: 'completed' }).waitFor();
      await tab(blue).click();
      await panel.at('#title').filter({ hasText: path.basename(blue.file) }).waitFor();
      await panel.at('#waiting').filter({ hasText: 'wait: ' }).waitFor();
      assert.doesNotMatch(await panel.at('#text').innerText(), /风/);
      await code.openFile(path.basename(blue.file));
      await panel.act('Accept all').click();
      await page.locator('.tab.active.dirty').waitFor();
      await until('nothing waits', async () => await panel.at('#waiting').innerText() === '');
      await code.save();
      assert.equal(await fs.readFile(blue.file, 'utf8'), blue.after);
      assert.equal(await fs.readFile(red.file, 'utf8'), red.before);
      assert.equal(await page.locator('.tab.dirty').count(), 0);
      await tab(red).click();
      await panel.state('cancelled');
      await until('nothing of it waits', async () => await panel.act('Review').count() === 0);
      await shot(code, 'two-decided');
    },

    /** An ability of one's own: made from the template, told what is wrong in it, offered; and one that is dropped in. */
    async ability(code) {
      const { page } = code;
      await code.openFile('第一章 雨夜.md');
      await counts(code, '0/500 · 93 · 120');
      await code.doing(() => code.ask('Inkwright: New Ability…', '对话医生'), async () => (await code.visibleLines()).some((line) => line.includes('对话医生')), { patience: 60_000 });
      const home = path.join(process.env.HOME, '.config', 'inkwright', 'profiles');
      const [made] = await until('the file', async () => {
        const all = await fs.readdir(home, { recursive: true }).catch(() => []);
        const found = all.filter((name) => name.endsWith('.md'));
        return found.length && found;
      });
      // What the window's folders do not hold is no chapter, whatever else it is.
      await counts(code, '0/500 · 120');
      await shot(code, 'ability-template');
      const file = path.join(home, made);
      const text = await fs.readFile(file, 'utf8');
      await code.doing(async () => {
        await code.goTo(2, 1);
        await page.keyboard.insertText('output: poem\n');
      }, async () => (await code.visibleLines()).some((line) => line.includes('output: poem')));
      await code.problems({ expect: 'output' });
      await shot(code, 'ability-wrong');
      await page.keyboard.press('Control+Shift+M');
      await code.openFile('第一章 雨夜.md');
      await code.offered('Inkwright: Run an Ability…', '对话医生');
      await page.keyboard.press('Escape');

      // A file that somebody puts there while all this runs.
      await fs.writeFile(file.replace(/[^/]+$/, 'rhyme.md'), text.replaceAll('对话医生', '押韵').replace(/^id: .*$/m, 'id: rhyme'));
      await code.choose('Inkwright: Run an Ability…', '押韵', 'without further words');
      await panelOf(code).at('#title').filter({ hasText: '押韵' }).waitFor();
      await fs.rm(file.replace(/[^/]+$/, 'rhyme.md'));
      await until('what is gone is not offered, remembered or not', async () => {
        await code.offered('Inkwright: Run an Ability…', 'Polish');
        const left = await rows(code).filter({ hasText: '押韵' }).count();
        await page.keyboard.press('Escape');
        return left === 0;
      });
      await code.command('Inkwright: Polish the Selection or Chapter');
      await panelOf(code).at('#title').filter({ hasText: 'Polish' }).waitFor();
      await code.openFile('第一章 雨夜.md');
      await until('the last is the first', async () => {
        await code.offered('Inkwright: Run an Ability…', 'Polish');
        if (/Polish/.test(await rows(code).first().innerText({ timeout: 5_000 }).catch(() => ''))) return true;
        await page.keyboard.press('Escape');
        return false;
      });
      await shot(code, 'ability-last');
      await page.keyboard.press('Escape');
    },
  };
}
