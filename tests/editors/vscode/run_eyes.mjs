// node run_eyes.mjs VSCODE_DIR EXTENSIONS BOOK SHOTS STAGE: scenes as a writer sees them, with screenshots.

import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import { boxes } from './boxes.mjs';
import { desk, servers } from './desk.mjs';
import { openWorkbench, startServer } from './driver.mjs';
import { mending } from './mending.mjs';
import { control, startModel } from './model.mjs';
import { rough } from './rough.mjs';
import { runScenes } from './scenes_run.mjs';
import { story } from './story.mjs';

const [vscodeDir, extensions, book, shots, stage] = process.argv.slice(2);
const chapter = path.join(book, '第一章 雨夜.md');
// The story begins without one.
const original = await fs.readFile(chapter, 'utf8').catch(() => '');
const body = original.slice(original.indexOf('# 第一章'));

const model = await startModel();
const slow = control(model.url);
const settings = (more) => ({
  'inkwright.model': 'offline',
  'inkwright.models': { slow: { endpoint: model.url, model: 'slow' } },
  'editor.wordWrap': 'on',
  ...more,
});

async function until(what, probe, seconds = 120) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > end) throw new Error(`never: ${what}`);
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  }
}

/** Waits until the status bar's counts are these: what was gained, those of the chapter if it is one, and the book's. */
const counts = (code, text) => until(`counts ${text}`, async () => (await code.statusBar()).includes(text));

const scenes = {
  ...runScenes({ until, counts, slow, book, body, original, chapter, shots }),

  /** The palette, the diff with its lenses, one hunk accepted and one rejected by a click, the rest by a button. */
  async review(code) {
    await code.openFile('第一章 雨夜.md');
    await code.command('Inkwright: Reject All Changes');
    await code.hover('林晚秋', { match: /剑客/ });
    await code.screenshot(path.join(shots, 'hover.png'));
    await code.command('Inkwright: Polish the Selection or Chapter');
    const diff = code.page.locator('.monaco-diff-editor');
    await diff.waitFor();
    const one = /^✓ Accept(?! all)/;
    const lens = (text) => diff.locator('.codelens-decoration a').filter({ hasText: text });
    await lens(one).nth(1).waitFor();
    await code.screenshot(path.join(shots, 'review.png'));
    // While lenses are made anew there may be none for a moment.
    const count = await until('the lenses', async () => {
      const found = await lens(one).count();
      return found >= 2 && found;
    });
    const fewer = async (by) => {
      const left = await lens(one).count();
      return left > 0 && left <= count - by;
    };
    await code.press(lens(one).first(), { effect: () => fewer(1) });
    await code.press(lens(/^✗ Reject$/).first(), { effect: () => fewer(2) });
    await code.screenshot(path.join(shots, 'review-decided.png'));
    assert.equal(await fs.readFile(chapter, 'utf8'), original, 'nothing is saved by itself');
    const all = code.page.locator('.editor-actions .action-label[aria-label^="Accept All Changes"]').first();
    await code.press(all, { effect: async () => !await diff.count() });
    await code.page.locator(`.tab.active.dirty[data-resource-name="第一章 雨夜.md"]`).waitFor();
    await code.save();
    const saved = await fs.readFile(chapter, 'utf8');
    assert.ok(saved.includes('林晚秋推开门，雨还在下。'), 'the first was accepted');
    assert.ok(saved.includes('她一但下了决心,就不会回头。'), 'the second was rejected');
    assert.ok(saved.includes('码头上已经没有人了'), 'the rest was accepted');
    await code.screenshot(path.join(shots, 'accepted.png'));
    return code;
  },

  /** Without the panel: progress with Cancel, then Cancel: buffer and file as they were, the connection closed. */
  async cancel(code) {
    await slow.plan([...body], 30);
    await code.openFile('第一章 雨夜.md');
    await code.hover('林晚秋', { match: /剑客/ });
    const before = await code.visibleLines();
    await code.command('Inkwright: Polish the Selection or Chapter');
    await until('the model streams', async () => (await slow.state()).sent === 30);
    const note = await code.waitNotification('Inkwright:');
    assert.ok(note.buttons.some((text) => /cancel/i.test(text)), JSON.stringify(note));
    await code.screenshot(path.join(shots, 'streaming.png'));
    await code.clickNotification('Inkwright:', 'Cancel');
    await until('the model sees the close', async () => (await slow.state()).closed);
    await until('the notification is gone', async () => !(await code.notifications()).some((n) => n.text.includes('Inkwright:')));
    assert.equal((await slow.state()).sent, 30);
    assert.deepEqual(await code.visibleLines(), before);
    assert.equal(await code.page.locator('.tab.dirty').count(), 0);
    assert.equal(await fs.readFile(chapter, 'utf8'), original);
    await code.screenshot(path.join(shots, 'cancelled.png'));
  },

  /** A pipeline with its cards, a further message, memories and candidates, by palette, lists and notifications. */
  async engine(code) {
    const rows = code.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
    const row = (text) => rows.filter({ hasText: text }).first();
    const pick = async (text) => { await row(text).waitFor(); await row(text).click(); };
    const button = (text, name) => code.act(row(text), name);

    await code.openFile('拆书第一回.md');
    await code.command('Inkwright: Run the Pipeline on This Chapter');
    await code.waitNotification(/Pipeline: cards made: \d+\./);
    await code.screenshot(path.join(shots, 'pipeline.png'));
    await code.clickNotification('Pipeline:', 'Open…');
    await pick('周衡.md');
    await code.page.locator('.tab.active[data-resource-name="周衡.md"]').waitFor();
    await code.locate('十年前，周衡');
    await code.screenshot(path.join(shots, 'card.png'));

    await code.openFile('拆书第一回.md');
    await code.offered('Inkwright: Run an Ability…', 'Continue');
    await code.screenshot(path.join(shots, 'abilities.png'));
    await code.choose('Inkwright: Run an Ability…', 'A critic', 'without further words');
    await code.page.locator('.tab[data-resource-name="Analysis.md"]').waitFor();
    await until('the first answer', async () => (await code.notifications()).every((note) => !note.progress));
    await code.ask('Inkwright: Follow Up…', 'What of the dialogue? I like short sentences.');
    await code.offered('Inkwright: List the Runs…', 'What of the dialogue?');
    await until('both answers', async () => (await code.notifications()).every((note) => !note.progress));
    const past = ['Inkwright: List the Runs…', 'What of the dialogue?', 'What the Model Saw'];
    await code.offered(...past);
    await code.screenshot(path.join(shots, 'past.png'));
    await code.doing(() => code.choose(...past), code.page.locator('.tab').filter({ hasText: /[0-9a-f]{12}\.md/ }));

    // The page that was just opened takes the focus when it is drawn, and a list that has lost it closes.
    const remembered = 'Inkwright: What Is Remembered…';
    await code.offered(remembered, 'I like short sentences');
    await code.screenshot(path.join(shots, 'memories.png'));
    const pinned = row('I like short sentences').locator('.codicon-pinned').first();
    await until('it is pinned', async () => {
      if (!await row('I like short sentences').isVisible()) await code.offered(remembered, 'I like short sentences');
      if (await pinned.isVisible()) return true;
      await row('I like short sentences').hover({ timeout: 5_000 }).catch(() => undefined);
      await row('I like short sentences').locator('.action-label[aria-label="Pin"]').click({ timeout: 5_000 }).catch(() => undefined);
      return pinned.waitFor({ timeout: 5_000 }).then(() => true, () => false);
    }, 120);
    const edit = () => code.choose(remembered, 'I like short sentences', 'Edit…');
    await edit();
    await code.answer('I like long sentences', edit);
    await code.choose(remembered, 'Add…');
    await code.answer('She never looks back', () => code.choose(remembered, 'Add…'));
    await pick('Decision');
    await code.offered(remembered, 'She never looks back');
    await code.screenshot(path.join(shots, 'memories-pinned.png'));
    await button('I like long sentences', 'Delete');
    await row('long sentences').waitFor({ state: 'detached' });
    await code.page.keyboard.press('Escape');

    await code.openFile('第二章 渡口.md');
    await code.offered('Inkwright: Run the Pipeline on This Chapter', 'breakdown');
    await code.screenshot(path.join(shots, 'no-pipeline.png'));
    await code.choose('Inkwright: Run the Pipeline on This Chapter', 'breakdown');
    await code.waitNotification('wait for you to accept');
    await code.clickNotification('wait for you to accept', 'Look at Them…');
    await rows.nth(1).waitFor();
    await code.screenshot(path.join(shots, 'candidates.png'));
    const count = await rows.count();
    await code.act(rows.first(), 'Accept', async () => await rows.count() === count - 1);
    await code.openFile('第二章 渡口.md');
    await code.choose('Inkwright: Look at the Candidates…', 'Accept All');
    await until('the cards are files', async () => (await fs.readdir(path.join(book, 'cards'))).length >= count - 2);
  },

  /** The side bar: chapters are opened and dragged, cards looked at, a memory pinned, a run looked back on. Only chapters are counted as such. */
  async sidebar(code) {
    const { page } = code;
    const pane = (name) => page.locator('.pane').filter({ has: page.locator(`.pane-header h3.title:text-is("${name}")`) });
    const row = (name, text) => pane(name).locator('.monaco-list-row').filter({ hasText: text }).first();
    const labels = (name) => pane(name).locator('.monaco-list-row .label-name').allTextContents();
    await code.side();
    await row('Book', '渡口').waitFor();
    await until('the chapters in their order', async () => (await labels('Book')).join() === '雨夜,渡口,归途');
    await code.clickFor(row('Book', '雨夜'), page.locator('.tab.active[data-resource-name="第一章 雨夜.md"]'));
    const moved = async () => (await labels('Book')).join() === '雨夜,归途,渡口';
    // A row that is made anew while it is dragged is let go of.
    await until('the chapter is moved', async () => {
      await row('Book', '归途').dragTo(row('Book', '雨夜'), { timeout: 10_000 }).catch(() => undefined);
      return until('it is seen', moved, 15).catch(() => false);
    });
    await row('Cards', '林晚秋').waitFor();
    const bar = page.locator('.part.statusbar');
    await bar.getByText('Novel', { exact: true }).waitFor();
    await bar.getByText('offline', { exact: true }).waitFor();
    await counts(code, '0/500 · 93 · 111');
    for (const name of ['README.md', '林晚秋.md']) {
      await code.openFile(name);
      await counts(code, '0/500 · 111');
    }
    await code.command('Inkwright: Show the Writing Progress');
    await page.locator('.tab.active').filter({ hasText: 'Writing Progress' }).waitFor();
    await code.offered('Inkwright: Set Up a Model…', 'DeepSeek');
    await code.screenshot(path.join(shots, 'models.png'));
    const vendor = () => code.doing(() => code.choose('Inkwright: Set Up a Model…', 'DeepSeek'), page.locator('.quick-input-widget:visible input[type=password]'));
    await vendor();
    await code.answer('a-key-that-is-none', vendor);
    const told = await code.waitNotification('DeepSeek: ');
    assert.deepEqual(told.buttons.filter((text) => text === 'Another Key…').length, 1, JSON.stringify(told));
    await code.openFile('第一章 雨夜.md');
    await code.ask('Inkwright: Remember Something…', 'I like short sentences', 'Preference');
    await code.fold(pane('What Is Remembered'), true);
    const kept = row('What Is Remembered', 'I like short');
    await code.act(kept, 'Pin', kept.locator('.codicon-pinned'));
    await code.openFile('第一章 雨夜.md');
    await code.command('Inkwright: Polish the Selection or Chapter');
    await page.locator('.monaco-diff-editor').waitFor();
    await code.fold(pane('Runs'), true);
    await row('Runs', 'polish').waitFor();
    await code.fold(pane('Usage'), true);
    await pane('Usage').getByText('No model is set up.').waitFor();
    await code.screenshot(path.join(shots, 'sidebar.png'));
    await code.clickFor(row('Runs', 'polish'), page.locator('.tab[data-resource-name="Journal.md"]'));
    await code.screenshot(path.join(shots, 'journal.png'));
    await code.act(row('Runs', 'polish'), 'What the Model Saw', page.locator('.tab').filter({ hasText: /[0-9a-f]{12}\.md/ }));
    await until('a page is counted as no chapter', async () => !(await code.statusBar()).includes('· 93 ·'));
    await code.screenshot(path.join(shots, 'sidebar-context.png'));
  },

  /** Without the program: what to do is said, and the walkthrough is one click away. */
  async missing(code) {
    await code.openFile('第一章 雨夜.md');
    const note = await code.waitNotification('uv tool install .');
    assert.deepEqual(note.buttons.filter((text) => /Install|Choose|Again/.test(text)).length, 3, JSON.stringify(note));
    await code.screenshot(path.join(shots, 'missing.png'));
    await code.side();
    await code.page.locator('.welcome-view:visible .monaco-button').filter({ hasText: 'How to Install' }).waitFor();
    await code.clickNotification('uv tool install .', 'How to Install');
    await code.page.getByText('Write with Inkwright').first().waitFor();
    await code.screenshot(path.join(shots, 'walkthrough.png'));
  },

  /** A folder's own program is not started while the folder is not trusted; once it is, it is, and the views fill. */
  async trusted(code, server) {
    const { page } = code;
    const program = path.join(book, 'tools', 'server');
    const started = () => fs.readFile(`${program}.log`, 'utf8').catch(() => '');
    await fs.mkdir(path.dirname(program));
    await fs.writeFile(program, `#!/bin/sh\necho started >> "$0.log"\nexec '${process.env.INKWRIGHT_TEST_PROGRAM}' "$@"\n`, { mode: 0o755 });
    // It is there now: looked for once more, it is still the folder's own.
    await code.command('Inkwright: Restart the Server');
    await code.waitNotification('uv tool install .');
    assert.equal(await started(), '');
    assert.deepEqual(await servers(server), []);
    await code.command('Workspaces: Manage Workspace Trust');
    const trust = page.locator('.workspace-trust-editor .monaco-button').filter({ hasText: /^Trust$/ }).first();
    await trust.waitFor();
    await code.screenshot(path.join(shots, 'untrusted.png'));
    await code.press(trust, { effect: started });
    const row = (name, text) => page.locator('.pane').filter({ has: page.locator(`.pane-header h3.title:text-is("${name}")`) }).locator('.monaco-list-row').filter({ hasText: text }).first();
    await row('Book', '雨夜').waitFor();
    await row('Cards', '林晚秋').waitFor();
    assert.equal((await servers(server)).length, 1);
    assert.equal(await started(), 'started\n');
    await code.screenshot(path.join(shots, 'trusted.png'));
  },

  /** The same in Chinese: palette, lenses, titles. */
  async chinese(code) {
    await slow.plan([body.replace('灭了。。', '灭了。').replace('以经', '已经')], 1);
    await code.openFile('第一章 雨夜.md');
    await code.hover('林晚秋', { match: /剑客/ });
    await code.command('Inkwright: 润色选中内容或整章');
    const diff = code.page.locator('.monaco-diff-editor');
    await diff.locator('.codelens-decoration a').filter({ hasText: '✓ 接受' }).first().waitFor();
    await code.page.locator('.tab.active').filter({ hasText: '修改建议' }).waitFor();
    await code.screenshot(path.join(shots, 'chinese.png'));
  },
};

/** How the workbench of each stage is started; the scenes of a stage are played in it one after the other. */
const stages = {
  'sidebar+review': { settings: settings({ 'inkwright.goals.daily': 500 }) },
  'cancel+engine': { settings: settings({ 'inkwright.abilities': { polish: 'slow' }, 'inkwright.liveText': false }) },
  'missing+trusted': { settings: settings({ 'inkwright.server.path': '' }), trust: true, folderSettings: { 'inkwright.server.path': '${workspaceFolder}/tools/server' } },
  'chinese+steps': { settings: settings({ 'inkwright.model': 'slow', 'workbench.colorTheme': 'Default Light Modern' }), locale: 'zh-cn' },
  'desk+ability': { settings: settings({ 'inkwright.goals.daily': 500, 'inkwright.goals.session': 100, 'inkwright.openReview': false }) },
  walkthrough: { settings: settings(), folder: null },
  trouble: {
    settings: { 'editor.wordWrap': 'on' },
    trust: true,
    folderSettings: {
      'inkwright.server.path': '${workspaceFolder}/evil',
      'inkwright.models': { evil: { endpoint: 'http://127.0.0.1:9', model: 'evil' } },
      'inkwright.model': 'evil',
    },
  },
  wrong: { settings: settings(), folderSettings: { 'inkwright.server.path': path.join(process.env.HOME, 'tools', 'inkwright') } },
  'boxes+endpoint': { settings: { 'editor.wordWrap': 'on' } },
  story: { settings: settings({ 'inkwright.model': 'slow' }) },
  'panel+inline+two': { settings: settings({ 'inkwright.model': 'slow', 'inkwright.openReview': false, 'workbench.colorTheme': 'Default Dark Modern' }) },
  rough: { settings: settings({ 'inkwright.model': 'slow', 'inkwright.openReview': false, 'workbench.colorTheme': 'Default Dark Modern' }) },
};

async function play(stage) {
  const { folder = book, folderSettings, ...options } = stages[stage];
  if (folderSettings) {
    await fs.mkdir(path.join(book, '.vscode'));
    await fs.writeFile(path.join(book, '.vscode/settings.json'), JSON.stringify(folderSettings));
  }
  const server = await startServer({ vscodeDir, extensions, ...options });
  let code;
  let scene = stage;
  try {
    code = await openWorkbench(server, { folder, locale: options.locale });
    for (scene of stage.split('+')) {
      if (!stage.startsWith(scene)) await afresh(code);
      const began = Date.now();
      await scenes[scene](code, server);
      const errors = (await code.notifications()).filter((note) => /error|failed|出错|失败/i.test(note.text));
      assert.deepEqual(errors, []);
      console.log(`ok ${scene} (${Date.now() - began} ms)`);
    }
  } catch (error) {
    await code?.screenshot(path.join(shots, `failure-${scene}.png`)).catch(() => undefined);
    const toasts = await code?.notifications().catch(() => undefined) ?? [];
    for (const [name, text] of Object.entries(await server.logs())) {
      if (name.includes('Inkwright')) console.log(`--- ${name}\n${text.slice(-1500)}`);
    }
    tell(scene, error, toasts);
    process.exitCode = 1;
  } finally {
    await code?.close();
    await server.stop();
  }
}

/** The end of what is said, since of a long report the end is read: where it stopped, why, and what stood on the screen. */
function tell(scene, error, toasts) {
  const { message, stack } = error;
  const places = stack.split('\n').filter((line) => line.includes('/tests/editors/')).map((line) => line.trim().replace(/\(?(file:)?\S*\//, ''));
  console.log(`--- toasts: ${JSON.stringify(toasts.map(({ text, buttons }) => [text, ...buttons].join(' | '))).slice(0, 800)}`);
  console.log(places.slice(0, 6).join('\n'));
  console.log(`FAILED ${scene}: ${message.slice(0, 900)}`);
}

/** Nothing of the scene before is on the screen; what it wrote stays written. */
async function afresh(code) {
  const none = (text) => async () => !await code.page.locator(text).count();
  await code.doing(() => code.command('File: Save All Files'), none('.tab.dirty'));
  await code.doing(() => code.command('View: Close All Editors'), none('.tab'));
  await code.command('Notifications: Clear All Notifications');
}

const tools = { until, shots, book, chapter, original, slow, servers, url: model.url };
Object.assign(scenes, boxes(tools), desk(tools), rough(tools), story(tools), mending(tools));

try {
  await play(stage);
} finally {
  model.stop();
}
