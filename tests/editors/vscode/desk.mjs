// Scenes of what stands around the text: side bar, status bar, focus, progress, walkthrough, and a server in trouble.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The process ids of the servers that work on this scene's home. */
export async function servers(server) {
  const { stdout } = await run('ps', ['-eo', 'pid=,ppid=,args=']);
  const all = stdout.trim().split('\n').map((line) => line.trim().match(/^(\d+) +(\d+) (.*)$/).slice(1));
  const below = new Set([String(server.pid)]);
  for (let size = 0; size !== below.size;) {
    size = below.size;
    for (const [pid, parent] of all) if (below.has(parent)) below.add(pid);
  }
  return all.filter(([pid, , args]) => below.has(pid) && / lsp$/.test(args)).map(([pid]) => Number(pid));
}

/** Runs in the page: whether a key is kept as true among what extensions remember of the window. */
async function kept(key) {
  const done = (request) => new Promise((resolve, reject) => { request.onsuccess = () => resolve(request.result); request.onerror = () => reject(request.error); });
  for (const { name } of await indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db-')) continue;
    const database = await done(indexedDB.open(name));
    try {
      const values = await done(database.transaction('ItemTable').objectStore('ItemTable').getAll());
      if (values.some((value) => String(value).includes(`"${key}":true`))) return true;
    } finally {
      database.close();
    }
  }
  return false;
}

export function desk({ until, shots, book, chapter }) {
  const shot = (code, name) => code.screenshot(path.join(shots, `${name}.png`));
  const pane = (code, name) => code.page.locator('.pane').filter({ has: code.page.locator(`.pane-header h3.title:text-is("${name}")`) });
  const rows = (code, name) => pane(code, name).locator('.monaco-list-row');
  const welcome = (code) => code.page.locator('.welcome-view:visible');
  const squiggles = (code) => code.page.locator('.editor-group-container.active .squiggly-warning, .editor-group-container.active .squiggly-info').count();
  const lenses = (code) => code.page.locator('.editor-group-container.active .codelens-decoration a').count();
  const coloured = (code) => code.page.locator('.editor-group-container.active .view-line span').filter({ hasText: /^林晚秋$/ }).count();

  /** No text of a view is cut without a sign, leaves its row, or lies on another. */
  async function tidy(code) {
    let wrong;
    const look = () => code.page.locator('.sidebar .monaco-list-row').evaluateAll((all) => all.flatMap((row) => {
      const frame = row.getBoundingClientRect();
      if (!frame.width) return [];
      const out = [];
      const label = row.querySelector('.monaco-icon-label-container');
      const actions = row.querySelector('.actions');
      for (const text of row.querySelectorAll('.label-name, .label-description')) {
        const box = text.getBoundingClientRect();
        let holder = text;
        while (holder !== row && getComputedStyle(holder).textOverflow !== 'ellipsis') holder = holder.parentElement;
        const seen = holder.getBoundingClientRect();
        if (box.right > seen.right + 1 && holder === row) out.push(`cut without a sign: ${text.textContent}`);
        if (seen.right > frame.right + 1) out.push(`leaves its row: ${text.textContent}`);
      }
      if (label && actions?.getBoundingClientRect().width && label.getBoundingClientRect().right > actions.getBoundingClientRect().left + 1) {
        out.push(`buttons lie on: ${label.textContent}`);
      }
      return out;
    }));
    // What is drawn anew stands a moment later.
    await until('no text is cut', async () => !(wrong = await look()).length, 30).catch(() => undefined);
    assert.deepEqual(wrong, []);
  }

  return {
    /** Volumes with status at the narrowest width, counts in the status bar, focus mode over a reload, progress, rename, problems. */
    async desk(code) {
      const { page } = code;
      await code.side();
      await rows(code, 'Book').filter({ hasText: '雨夜' }).first().waitFor();
      await until('the status is shown', async () => (await rows(code, 'Book').allInnerTexts()).some((text) => /draft|revised|done/.test(text)));
      await rows(code, 'Cards').first().waitFor();
      await code.narrow(60);
      await rows(code, 'Book').first().hover();
      await tidy(code);
      await shot(code, 'narrow');

      await code.openFile('第一章 雨夜.md');
      const bar = page.locator('.part.statusbar');
      await bar.getByText(/0\/500 · 93 · \d+/).waitFor();
      await bar.getByText('Novel', { exact: true }).waitFor();
      await until('what is wrong is marked', () => squiggles(code));
      await until('there are lenses', () => lenses(code));
      await until('names have a colour', () => coloured(code));
      const focused = bar.getByText('Focus', { exact: true });
      await code.doing(() => code.command('Inkwright: Focus: Leave All Aids Off, or Have Them Back'), focused);
      const gone = async () => !(await squiggles(code)) && !(await lenses(code)) && !(await coloured(code));
      await until('nothing of ours is on the page', gone);
      await shot(code, 'focus');
      await page.addInitScript(() => {
        const said = new Set();
        new MutationObserver(() => {
          for (const view of document.querySelectorAll('.welcome-view')) said.add(view.textContent);
        }).observe(document, { childList: true, subtree: true, characterData: true });
        globalThis.welcomed = () => [...said];
      });
      await until('the editor has written it down', () => page.evaluate(kept, 'inkwright.focus'));
      await page.reload();
      await page.locator('.monaco-workbench .part.statusbar').waitFor();
      await focused.waitFor();
      // Which files are open is written down by the editor now and then, and not because of a reload.
      await code.openFile('第一章 雨夜.md');
      await code.hover('林晚秋', { match: /剑客/ });
      await rows(code, 'Book').filter({ hasText: '雨夜' }).first().waitFor();
      const welcomed = (await page.evaluate('welcomed()')).join('\n');
      // A server that is quick leaves nothing to say.
      assert.doesNotMatch(welcomed, /no chapter|one Markdown file each/, 'nothing is missing before it was looked for');
      await until('nothing of ours is on the page again', gone);
      await code.press(focused, { effect: async () => !await focused.isVisible() });
      await until('all is back', async () => await squiggles(code) && await lenses(code) && await coloured(code));
      const changed = await fs.readdir(book);
      assert.ok(!changed.includes('.vscode'), 'no setting was written');

      const preview = page.locator('.refactor-preview, .bulk-edit-panel').first();
      await code.rename('林晚秋', '林晚冬', { effect: preview });
      await until('what is uncertain is listed', async () => (await preview.innerText()).includes('晚冬'));
      await shot(code, 'rename');
      await code.press(page.getByRole('button', { name: 'Apply', exact: true }).first(), {
        effect: async () => (await code.visibleLines()).some((line) => line.includes('林晚冬')),
      });
      await code.problems({ expect: '一旦' });
      await shot(code, 'problems');
      await page.keyboard.press('Control+J');

      await code.command('Inkwright: Show the Writing Progress');
      await page.locator('.tab.active').filter({ hasText: 'Writing Progress' }).waitFor();
      const frame = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
      await frame.locator('svg[role=img] rect').first().waitFor({ state: 'attached' });
      await until('thirty days', async () => await frame.locator('svg[role=img] rect').count() === 30);
      assert.match(await frame.locator('dl').innerText(), /\/ 500/);
      await shot(code, 'progress');
      // By the clock, while the editor itself starts on the same processors: what others do only adds to it.
      const times = [];
      for (let window = 0; window < 3; window += 1) {
        await page.reload();
        await page.locator('.monaco-workbench .part.statusbar').waitFor();
        await bar.getByText('Novel', { exact: true }).waitFor();
        await code.command('Developer: Show Running Extensions');
        const own = page.locator('.runtime-extensions-editor .extension').filter({ hasText: 'Inkwright' });
        await own.first().waitFor();
        times.push(Number(await until('the time it took', async () => /(\d+)ms/.exec(await own.first().innerText())?.[1])));
      }
      const said = `activated in ${Math.min(...times)} ms (of ${times.join(', ')}) at a load of ${os.loadavg()[0].toFixed(1)}`;
      console.log(said);
      await fs.writeFile(path.join(shots, 'activation.txt'), `${said}\n`);
      assert.deepEqual(code.console.filter((line) => /Content Security Policy.*inkwright/i.test(line)), []);
    },

    /** Nothing open, no book, no model: each view has the button that helps; the walkthrough's buttons work on the sample book. */
    async walkthrough(code) {
      const { page } = code;
      await code.side();
      await welcome(code).getByText('Open the folder that your chapters are in').waitFor();
      await welcome(code).locator('.monaco-button').filter({ hasText: 'Open Folder' }).first().waitFor();
      await shot(code, 'welcome-no-folder');
      await code.command('Inkwright: Get Started');
      const steps = page.locator('.getting-started-step');
      const step = (title) => steps.filter({ hasText: title });
      const done = (title) => step(title).locator('.codicon-getting-started-step-checked, .codicon-pass-filled, .complete').first();
      const press = async (title, button) => {
        // A step that is done meanwhile is made anew, and the next one is opened.
        await until(`${title} is open`, async () => {
          if ((await step(title).getAttribute('class')).includes('expanded')) return true;
          await step(title).click({ timeout: 10_000 }).catch(() => undefined);
          return false;
        });
        await code.press(step(title).locator('.monaco-button').filter({ hasText: button }).first(), { timeout: 15_000 });
      };
      const pressFor = (title, button, effect) => code.doing(() => press(title, button), effect);
      await step('Install the program').waitFor();
      await until('the first step is done', () => done('Install the program').count());
      await shot(code, 'walkthrough');
      await pressFor('Open the sample book', 'Open the Sample Book', page.locator('.tab[data-resource-name^="01"]'));
      await step('Polish a chapter').waitFor();
      await until('the second step is done', () => done('Open the sample book').count());
      await code.hover('Mara', { match: /card|Mara/ });
      await shot(code, 'walkthrough-sample');
      await pressFor('Polish a chapter', 'Polish', page.locator('.monaco-diff-editor'));
      await until('the third step is done', () => done('Polish a chapter').count());
      const accept = page.locator('.monaco-diff-editor .codelens-decoration a').filter({ hasText: /^✓ Accept(?! all)/ });
      await accept.first().waitFor();
      await code.press(accept.first(), { effect: () => done('Decide, change by change').count() });
      await pressFor('Go further', 'What Is Remembered', page.locator('.quick-input-widget:visible'));
      await page.keyboard.press('Escape');
      await until('the fifth step is done', () => done('Go further').count());
      await shot(code, 'walkthrough-done');
      await code.side();
      await code.fold(pane(code, 'Usage'), true);
      await welcome(code).filter({ hasText: 'No model is set up.' }).locator('.monaco-button').filter({ hasText: 'Set Up a Model' }).waitFor();
      await shot(code, 'welcome-no-model');
    },

    /** A folder that is not trusted names no program; a server that ends comes back, and is left alone in the end; an old one is told of. */
    async trouble(code, server) {
      const { page } = code;
      await code.openFile('第一章 雨夜.md');
      await code.hover('林晚秋', { match: /剑客/ });
      await page.locator('.part.statusbar').getByText('offline', { exact: true }).waitFor();
      assert.equal(await page.locator('.view-line .unicode-highlight, .cdr.unicode-highlight').count(), 0, 'Chinese is no strange sign');
      const first = await until('one server', async () => (await servers(server)).length === 1 && servers(server));
      let last = first[0];
      const alone = async () => (await code.notifications()).some(({ text }) => text.includes('ended four times'));
      // Four in three minutes are too many: where a machine takes longer to come so far, some more are.
      for (let times = 1; ; times += 1) {
        process.kill(last, 'SIGKILL');
        const next = await until('another server, or none any more', async () => (await servers(server)).find((pid) => pid !== last) ?? (await alone() && 'none'));
        if (next === 'none') {
          assert.ok(times >= 4, `left alone after ${times}`);
          break;
        }
        assert.ok(times < 12, 'it is started for ever');
        last = next;
        // The next one is ended once it answers.
        await page.mouse.move(2, 2);
        await page.locator('.monaco-hover:not(.hidden)').waitFor({ state: 'hidden' });
        await code.hover('林晚秋', { match: /剑客/ });
      }
      const told = await code.waitNotification('ended four times');
      assert.ok(told.buttons.includes('Show the Log') && told.buttons.includes('Try Again'), JSON.stringify(told));
      await code.side();
      await welcome(code).filter({ hasText: 'is not running' }).locator('.monaco-button').filter({ hasText: 'Start It Again' }).waitFor();
      await shot(code, 'crashed');
      await code.clickNotification('ended four times', 'Try Again');
      await rows(code, 'Cards').first().waitFor();
      await until('nothing is told any more', async () => !(await code.notifications()).length);

      const old = path.join(server.home, 'old-inkwright');
      const python = (await fs.readFile((await run('bash', ['-lc', 'command -v inkwright'])).stdout.trim(), 'utf8')).split('\n')[0];
      await fs.writeFile(old, `${python}\nimport sys, inkwright\ninkwright.__version__ = "0.0.9"\nfrom inkwright.__main__ import main\nsys.exit(main())\n`, { mode: 0o755 });
      await code.command('Inkwright: Choose the Inkwright Program…');
      await code.namePath(old, 'Use this program');
      const misfit = await code.waitNotification('is older than this extension');
      assert.match(misfit.text, /0\.0\.9.*uv tool install --reinstall/);
      assert.ok(misfit.buttons.includes('How to Install'), JSON.stringify(misfit));
      await shot(code, 'older');
    },
  };
}
