// Scenes of what is put right: a program that is not there or ends at once, a model of one's own, a file of settings edited meanwhile.

import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import { control, startModel } from './model.mjs';

export function mending({ until, shots, book, slow, url }) {
  const shot = (code, name) => code.screenshot(path.join(shots, `${name}.png`));
  const pane = (code, name) => code.page.locator('.pane').filter({ has: code.page.locator(`.pane-header h3.title:text-is("${name}")`) });
  const welcome = (code) => code.page.locator('.welcome-view:visible');
  const bar = (code) => code.page.locator('.part.statusbar');

  return {
    /** The setting names no program; then one that ends twice before it answers; then one that always does. */
    async wrong(code) {
      const program = path.join(process.env.HOME, 'tools', 'inkwright');
      await code.side();
      await welcome(code).filter({ hasText: 'names what is no program' }).waitFor();
      await pane(code, 'Book').locator('.pane-header .description').filter({ hasText: '…/tools/inkwright' }).waitFor();
      await shot(code, 'wrong-setting');
      await welcome(code).locator('.monaco-button').filter({ hasText: 'Open the Setting' }).click();
      await until('the setting is shown', async () => (await code.page.locator('.settings-editor .setting-item input').evaluateAll((all) => all.map((one) => one.value))).includes(program));
      await fs.mkdir(path.dirname(program), { recursive: true });
      // It stops to listen before it ends: what is said to it then meets nobody, and that is an end as well.
      const ends = (times) => fs.writeFile(program, `#!/bin/sh\necho . >> "$0.log"\n[ $(wc -l < "$0.log") -le ${times} ] && { exec <&-; sleep 0.5; exit 3; }\nexec '${process.env.INKWRIGHT_TEST_PROGRAM}' "$@"\n`, { mode: 0o755 });
      const started = async () => (await fs.readFile(`${program}.log`, 'utf8')).trim().split('\n').length;
      await ends(2);
      await welcome(code).locator('.monaco-button').filter({ hasText: 'Try Again' }).click();
      await pane(code, 'Cards').locator('.monaco-list-row').first().waitFor();
      assert.equal(await started(), 3);
      await until('nothing is said of it any more', async () => !(await code.statusBar()).join(' ').includes('started again') && !(await code.notifications()).length);
      await pane(code, 'Book').locator('.pane-header .description').filter({ hasText: 'tools' }).waitFor({ state: 'detached' });
      await fs.rm(`${program}.log`);
      await ends(1000);
      await code.command('Inkwright: Restart the Server');
      const told = await code.waitNotification('the server did not start');
      assert.ok(told.buttons.includes('Show the Log') && told.buttons.includes('Try Again'), JSON.stringify(told));
      assert.equal(await started(), 4);
      await until('it is not started again', async () => !(await code.statusBar()).join(' ').includes('started again'));
      await welcome(code).locator('.monaco-button').filter({ hasText: 'Start It Again' }).waitFor();
      await shot(code, 'ends-at-once');
      await fs.rm(`${program}.log`);
      await ends(0);
      await code.clickNotification('the server did not start', 'Try Again');
      await pane(code, 'Cards').locator('.monaco-list-row').first().waitFor();
      await code.command('Notifications: Clear All Notifications');
    },

    /** config.toml is corrected outside; then an endpoint of one's own is set up, used, and counted in a narrow side bar. */
    async endpoint(code) {
      const { page } = code;
      const rows = page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
      const input = page.locator('.quick-input-widget:visible input:not([type=checkbox])').first();
      const asked = (text) => page.locator('.quick-input-widget:visible').filter({ hasText: text }).waitFor();
      await slow.plan(['OK'], 9);
      await code.openFile('第一章 雨夜.md');
      await bar(code).getByText('offline', { exact: true }).waitFor();
      const folder = path.join(process.env.HOME, '.config', 'inkwright');
      await fs.writeFile(path.join(folder, 'config.toml'), `model = "garden"\n[models.garden]\nendpoint = "${url}"\nmodel = "slow"\n`);
      await bar(code).getByText('garden', { exact: true }).waitFor();
      await shot(code, 'config-followed');

      await code.choose('Inkwright: Set Up a Model…', 'Another endpoint');
      await asked('A name of your own');
      await input.fill('deepseek');
      await asked('taken already');
      await input.fill('home');
      await asked('A name of your own');
      await input.press('Enter');
      await asked('Its address');
      await input.fill('http://models.example/v1');
      await asked('Over http only on this machine');
      await shot(code, 'endpoint-address');
      // Where nothing listens the address stands there again; given once more it is taken as it is.
      const nowhere = 'http://127.0.0.1:9/v1';
      await input.fill(nowhere);
      await input.press('Enter');
      await asked('Nothing listens at');
      assert.equal(await input.inputValue(), nowhere);
      await shot(code, 'endpoint-nowhere');
      await input.press('Enter');
      await asked('What the endpoint calls the model');
      await input.press('Escape');
      await input.waitFor({ state: 'hidden' });
      await code.choose('Inkwright: Set Up a Model…', 'Another endpoint');
      await asked('A name of your own');
      await input.fill('home');
      await input.press('Enter');
      await asked('Its address');
      await input.fill(nowhere);
      await input.press('Enter');
      await asked('Nothing listens at');
      await input.fill(url);
      await input.press('Enter');
      await rows.filter({ hasText: 'qwen3:8b' }).waitFor();
      await shot(code, 'endpoint-models');
      await rows.filter({ hasText: 'qwen3:8b' }).click();
      await code.waitNotification('home works');
      await bar(code).getByText('home', { exact: true }).waitFor();
      const settings = JSON.parse(await fs.readFile(path.join(code.server.home, 'data', 'User', 'settings.json'), 'utf8'));
      assert.deepEqual(settings['inkwright.models'].home, { endpoint: url, model: 'qwen3:8b' });
      assert.equal(settings['inkwright.model'], 'home');
      assert.ok(!(await fs.readdir(book)).includes('.vscode'), 'nothing is written into the book');
      await code.command('Notifications: Clear All Notifications');

      // Back to the rules, and to a model that is set up: nothing is asked once more.
      const used = await code.offered('Inkwright: Set Up a Model…', 'in use');
      assert.match(await used.innerText(), /home/);
      await shot(code, 'endpoint-yours');
      await input.fill('off');
      await rows.filter({ hasText: 'Offline: built-in rules' }).click();
      await bar(code).getByText('offline', { exact: true }).waitFor();
      await code.choose('Inkwright: Set Up a Model…', 'garden');
      await code.waitNotification('garden works');
      await bar(code).getByText('garden', { exact: true }).waitFor();
      await code.command('Notifications: Clear All Notifications');

      // The same name at other places, each with a key of its own: what is there is listed, and the old key goes nowhere.
      const others = [];
      try {
        for (const [key, model] of [['key-of-the-first', 'red-one'], ['key-of-the-second', 'blue-one']]) {
          const other = await startModel(0, { key, models: [model] });
          others.push(other);
          await control(other.url).plan(['OK'], 9);
          await code.choose('Inkwright: Set Up a Model…', 'Another endpoint');
          await asked('A name of your own');
          await input.fill('home');
          await asked('it is replaced');
          await input.press('Enter');
          await asked('Its address');
          await input.fill(other.url);
          await input.press('Enter');
          await page.locator('.quick-input-widget:visible input[type=password]').waitFor();
          await asked('The key of home');
          await code.answer('a-key-of-elsewhere');
          await asked('or another one than it was given');
          await shot(code, 'endpoint-refused');
          await code.answer(key);
          await rows.filter({ hasText: model }).waitFor();
          await shot(code, `endpoint-${model}`);
          await rows.filter({ hasText: model }).click();
          await code.waitNotification('home works');
          await code.command('Notifications: Clear All Notifications');
        }
      } finally {
        for (const other of others) other.stop();
      }
      await code.choose('Inkwright: Set Up a Model…', 'Another endpoint');
      await asked('A name of your own');
      await input.fill('home');
      await input.press('Enter');
      await asked('Its address');
      await input.fill(url);
      await input.press('Enter');
      await rows.filter({ hasText: 'qwen3:8b' }).click();
      await code.waitNotification('home works');
      await code.command('Notifications: Clear All Notifications');

      // Goals are set where they are shown, and seen there at once.
      await code.command('Inkwright: Show the Writing Progress');
      const goal = page.frameLocator('iframe.webview').frameLocator('#active-frame');
      for (const [link, said] of [['Set the daily goal…', '/ 700'], ['Set the session goal…', '/ 90']]) {
        await code.clickFor(goal.locator('a').filter({ hasText: link }), page.locator('.quick-input-widget:visible').filter({ hasText: '0 is no goal' }));
        await code.answer(said.slice(2));
        await goal.locator('dd').filter({ hasText: said }).waitFor();
      }
      await shot(code, 'goals-set');
      await code.openFile('第一章 雨夜.md');
      await until('the counts are against the goal', async () => (await code.statusBar()).some((one) => one.startsWith('0/700')));

      const text = await fs.readFile(path.join(book, '第一章 雨夜.md'), 'utf8');
      await slow.plan([text.slice(text.indexOf('# ')).replace('以经', '已经')], 9);
      await code.command('Inkwright: Polish the Selection or Chapter');
      await page.locator('.monaco-diff-editor').waitFor();
      await page.locator('.monaco-diff-editor .codelens-decoration a').filter({ hasText: /^✓ Accept$/ }).first().waitFor();
      await shot(code, 'endpoint-review');
      // Closed undecided, its changes are marked in the chapter, where their keys are theirs.
      await code.command('View: Close Editor');
      await page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });
      await page.locator('.editor-instance .view-line span[class*="ced-"]').filter({ hasText: '以' }).first().waitFor();
      await shot(code, 'endpoint-marks');
      await code.command('Inkwright: Polish the Selection or Chapter');
      await code.side();
      for (const name of ['Runs', 'Usage']) {
        await code.fold(pane(code, name), true);
        await pane(code, name).locator('.monaco-list-row').first().waitFor();
      }
      for (const name of ['Cards', 'What Is Remembered']) {
        await code.fold(pane(code, name), false);
      }
      await until('both runs are listed', async () => await pane(code, 'Runs').locator('.monaco-list-row').count() >= 2);
      await code.narrow();
      await page.mouse.move(900, 500);
      await shot(code, 'narrow-runs');
      await pane(code, 'Usage').locator('.monaco-list-row').first().filter({ hasText: /^30 days/ }).waitFor();
    },
  };
}
