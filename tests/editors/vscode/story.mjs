// One story, from an empty folder to a model of one's own, by mouse and keyboard: a picture of every step.

import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import { control, startModel } from './model.mjs';

const TEXT = `# The Ferry

The boat had gone when Mara came down the the steps . Only a pale line was left on the water.

She put the box down and counted her coins. Seventeen. An lantern hung from the post, and it was not lit.

"Wait a little," someone said behind her. Mara did not turn round.`;

const BETTER = TEXT.replace('the the steps .', 'the steps.').replace('An lantern', 'A lantern').replace('did not turn round', 'did not turn');


export function story({ until, shots, book, slow }) {
  return {
    async story(code) {
      const local = await startModel(11434).catch(() => startModel(1234));
      try {
        await play(code, local);
      } finally {
        local.stop();
      }
    },
  };

  async function play(code, local) {
    const { page } = code;
    let number = 0;
    const shot = async (name) => {
      number += 1;
      await code.screenshot(path.join(shots, `story-${String(number).padStart(2, '0')}-${name}.png`));
    };
    const file = path.join(book, 'Chapter 1.md');
    const list = page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
    const pick = async (text) => { await list.filter({ hasText: text }).first().waitFor(); await list.filter({ hasText: text }).first().click(); };
    const enter = (text) => code.answer(text);
    const pane = (name) => page.locator('.pane').filter({ has: page.locator(`.pane-header h3.title:text-is("${name}")`) });
    const row = (name, text) => pane(name).locator('.monaco-list-row').filter({ hasText: text }).first();
    const lens = (text) => page.locator('.monaco-diff-editor .codelens-decoration a').filter({ hasText: text });
    const one = /^✓ Accept(?! all)/;

    // A folder without a book, and the button that makes it one.
    await code.side();
    const make = page.locator('.welcome-view:visible .monaco-button').filter({ hasText: 'Make This Folder a Book' });
    await make.waitFor();
    await shot('folder');
    const asked = page.locator('.quick-input-widget:visible input:not([type=checkbox])');
    await code.press(make, { effect: asked });
    await enter('The Ferry');
    await pick('Novel');
    await code.waitNotification('The Ferry is a book now.');
    await page.locator('.welcome-view:visible .monaco-button').filter({ hasText: 'New Chapter…' }).waitFor();
    await shot('book');
    await code.clickNotification('The Ferry is a book now.', 'New Chapter…');
    await asked.waitFor();
    assert.equal(await asked.inputValue(), 'Chapter 1');
    await page.keyboard.press('Enter');
    await page.locator('.tab.active[data-resource-name="Chapter 1.md"]').waitFor();

    // Writing: a chapter, a card, and what the card says at its name.
    const written = page.locator('.tab.active.dirty');
    const focused = page.locator('.editor-group-container.active .monaco-editor.focused');
    await code.clickFor(page.locator('.editor-group-container.active .monaco-editor .view-line').first(), focused);
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(TEXT);
    await written.waitFor();
    await code.save();
    await code.ask('Inkwright: Create a World Card…', 'Mara', 'Character');
    await page.locator('.tab.active[data-resource-name="Mara.md"]').waitFor();
    await focused.waitFor();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('\nA healer from the upper town. She never looks back.\n');
    await written.waitFor();
    await code.save();
    await code.openFile('Chapter 1.md');
    await until('what is written is counted', async () => (await code.statusBar()).some((text) => /· 55 · 55/.test(text)));
    await code.hover('Mara', { match: /healer/ });
    await shot('hover');
    await code.picture('hover', { x: 0, y: 30, width: 1120, height: 540 });

    // Polish: cancelled in the middle, then to its end; two accepted, one rejected.
    const before = await fs.readFile(file, 'utf8');
    await slow.plan([...TEXT], 120);
    await code.command('Inkwright: Polish the Selection or Chapter');
    await until('the model streams', async () => (await slow.state()).sent === 120);
    await code.command('Inkwright: Show the Run Panel');
    await shot('polish');
    await code.command('Inkwright: Cancel the Run');
    await until('the model sees the close', async () => (await slow.state()).closed);
    await until('the notification is gone', async () => !(await code.notifications()).some((note) => note.progress));
    assert.equal(await fs.readFile(file, 'utf8'), before);
    assert.equal(await page.locator('.tab.dirty').count(), 0);
    await shot('cancelled');
    await slow.plan([BETTER], 1);
    await code.openFile('Chapter 1.md');
    await code.command('Inkwright: Polish the Selection or Chapter');
    await lens(one).nth(2).waitFor();
    await shot('review');
    await code.picture('review', { x: 0, y: 30, width: 1400, height: 560 });
    for (const [act, left] of [[one, 2], [one, 1], [/^✗ Reject$/, 0]]) {
      await until('the lenses', async () => await lens(/^✗ Reject$/).count() === left + 1 || (left === 0 && await lens(/^✗ Reject$/).count() === 1));
      await code.press(lens(act).first(), { effect: async () => await lens(/^✗ Reject$/).count() === left });
      if (left === 1) await shot('decided');
    }
    await page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });
    await page.locator('.tab.active.dirty[data-resource-name="Chapter 1.md"]').waitFor();
    await code.save();
    const polished = await fs.readFile(file, 'utf8');
    assert.notEqual(polished, before);

    // Mara gets another name, everywhere.
    await code.rename('Mara', 'Maren', { shown: () => shot('rename') });
    await until('she has it', async () => (await code.visibleLines()).join('\n').includes('Maren'));
    await until('her card has it', async () => (await fs.readdir(path.join(book, 'cards'))).includes('Maren.md'));
    await code.command('File: Save All Files');

    // A pipeline that fails in its second step, and goes on from there.
    const card = { card_type: 'character', title: 'The ferryman', content: 'He owes an evening.', tags: [], quote: 'The boat had gone' };
    await slow.plan(['The landing; the voice.', { end: true }, { fault: 400 }, 'She waits, and somebody comes.', { end: true }, { tool: 'create_note_card', arguments: card }, 'One card.'], 9);
    await code.openFile('Chapter 1.md');
    await code.choose('Inkwright: Run the Pipeline on This Chapter', 'breakdown');
    const panel = page.locator('.webview-container iframe, iframe.webview').first().contentFrame().locator('#active-frame').contentFrame();
    const state = (text) => panel.locator('#state .chip').filter({ hasText: text }).waitFor();
    await state('partial');
    await panel.locator('#steps li.failed').waitFor();
    await shot('failed');
    await panel.locator('#acts button').filter({ hasText: 'Resume' }).click();
    await state('completed');
    await shot('resumed');
    await code.offered('Inkwright: Look at the Candidates…', 'The ferryman');
    await shot('candidates');
    await code.choose('Inkwright: Look at the Candidates…', 'Accept All');
    await until('it is a card', async () => (await fs.readdir(path.join(book, 'cards'))).includes('The ferryman.md'));

    // What was said is remembered, shown, and put right.
    await code.openFile('Chapter 1.md');
    await code.ask('Inkwright: Remember Something…', 'I like short sentences', 'Preference');
    await code.side();
    await code.fold(pane('What Is Remembered'), true);
    await code.act(row('What Is Remembered', 'I like short'), 'Edit…', asked);
    await enter('I like long sentences');
    await row('What Is Remembered', 'I like long').waitFor();
    await row('What Is Remembered', 'I like long').hover();
    await shot('memory');
    await code.picture('sidebar', { x: 0, y: 30, width: 1120, height: 780 });

    // A model of one's own, on this machine.
    await control(local.url).plan(['pong'], 1);
    void control(local.url).go();
    await code.offered('Inkwright: Set Up a Model…', 'qwen3:8b');
    await shot('models');
    await code.choose('Inkwright: Set Up a Model…', 'qwen3:8b');
    await code.waitNotification('works');
    await until('it is the model now', async () => (await code.statusBar()).some((text) => /ollama|lmstudio/i.test(text)));
    await shot('model');
  }
}
