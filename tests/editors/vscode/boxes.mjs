// Scenes of boxes and lists that follow each other, answered by keyboard alone.

import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';

export function boxes({ until, shots, book }) {
  return {
    /** With a page in front, which takes the keyboard back when a box closes: each box still gets what is typed, and all are gone at the end. */
    async boxes(code) {
      const { page } = code;
      const box = page.locator('.quick-input-widget:visible');
      const input = box.locator('input:not([type=checkbox])').first();
      const asked = (text) => box.filter({ hasText: text }).or(box.filter({ has: page.getByPlaceholder(text) })).first().waitFor();
      // As slowly as a writer: the keyboard would be taken back meanwhile.
      const type = async (question, text) => {
        await asked(question);
        await page.keyboard.type(text, { delay: 60 });
        assert.equal(await input.inputValue({ timeout: 5_000 }), text, question);
        await page.keyboard.press('Enter');
      };
      // The palette that closes gives the keyboard back as well, and may close the box that it has opened.
      const begin = (title, question) => until(question, async () => {
        if (!await box.isVisible()) await code.command(title);
        await page.waitForTimeout(500);
        if (!await input.isVisible()) return false;
        await input.focus({ timeout: 5_000 }).catch(() => undefined);
        return box.filter({ hasText: question }).isVisible();
      });
      const gone = () => box.waitFor({ state: 'hidden' });
      const progress = async () => {
        await code.command('Inkwright: Show the Writing Progress');
        const shown = page.frameLocator('iframe.webview').frameLocator('#active-frame');
        await shown.locator('dd').first().click();
      };

      await code.openFile('第一章 雨夜.md');
      await progress();
      await code.choose('Inkwright: Set Up a Model…', 'Another endpoint');
      await type('A name of your own', 'away');
      await type('Its address', 'https://127.0.0.1:9/v1');
      await asked('The key of away');
      await code.screenshot(path.join(shots, 'boxes.png'));
      await page.keyboard.press('Escape');
      await gone();

      await progress();
      await begin('Inkwright: Remember Something…', 'What is to be remembered?');
      await type('What is to be remembered?', 'She never looks back');
      await type('She never looks back', 'Decision');
      await gone();

      await progress();
      await code.choose('Inkwright: What Is Remembered…', 'She never looks back', 'Edit…');
      await asked('What is to be remembered?');
      await page.keyboard.press('Control+A');
      await type('What is to be remembered?', 'She looks back');
      await box.locator('.monaco-list-row').filter({ hasText: 'She looks back' }).waitFor();
      await page.keyboard.press('Escape');
      await gone();

      await progress();
      await begin('Inkwright: Create a World Card…', "The card's name");
      await type("The card's name", 'Zhou');
      await type('What is the card about?', 'Place');
      await until('the card is a file', () => fs.readFile(path.join(book, 'cards', 'Zhou.md'), 'utf8').then((text) => text.includes('location'), () => false));
      await gone();
    },
  };
}
