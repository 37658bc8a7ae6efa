import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { load } from './source.mjs';

const { inTurn, vscode } = await load('boxes');
const { window } = vscode;
const answered = (text) => {
  window.front.value = text;
  window.front.accept.fire();
};
const soon = () => new Promise((resolve) => { setTimeout(resolve); });

beforeEach(() => Object.assign(window, { happened: [], front: undefined, answers: undefined }));

test('one that is answered stands until the next is shown in its place, and the last until the end', async () => {
  const done = inTurn(async (boxes) => {
    const name = await boxes.input({ prompt: 'name' });
    const kind = await boxes.pick(soon().then(() => [{ label: 'kind' }]), { placeHolder: 'kind' });
    return [name, kind.label, [...window.happened]];
  });
  answered('Zhou');
  await soon();
  await soon();
  window.front.selectedItems = window.front.items;
  window.front.accept.fire();
  assert.deepEqual(await done, ['Zhou', 'kind', ['show name', 'show kind']]);
  assert.deepEqual(window.happened, ['show name', 'show kind', 'hide kind']);
});

test('what is answered once is never left by looking elsewhere, the first one is', async () => {
  const done = inTurn(async (boxes) => [await boxes.input({ prompt: 'a' }), await boxes.input({ prompt: 'b' })]);
  const [first] = [window.front];
  assert.equal(first.ignoreFocusOut, false);
  answered('1');
  await soon();
  assert.ok(first.ignoreFocusOut && window.front.ignoreFocusOut && first.disposed);
  answered('2');
  assert.deepEqual(await done, ['1', '2']);
});

test('closed by the writer, nothing is given; closed while the next is on its way, nothing more is asked', async () => {
  const left = inTurn((boxes) => boxes.input({ prompt: 'a' }));
  window.front.hide();
  assert.equal(await left, undefined);
  const done = inTurn(async (boxes) => {
    await boxes.input({ prompt: 'a' });
    window.front.hide();
    return boxes.input({ prompt: 'b' });
  });
  answered('1');
  assert.equal(await done, undefined);
  assert.ok(!window.happened.includes('show b'));
});

test('what is wrong is not taken and said, what is worth knowing is taken', async () => {
  const told = { wrong: 'no', known: { message: 'it is replaced', severity: vscode.InputBoxValidationSeverity.Info } };
  const done = inTurn((boxes) => boxes.input({ prompt: 'a', trouble: 'it was wrong', validateInput: (text) => told[text] }));
  const box = window.front;
  assert.equal(box.validationMessage, 'it was wrong');
  answered('wrong');
  assert.equal(box.validationMessage, 'no');
  answered('known');
  assert.equal(await done, 'known');
});

test('an error closes what stands', async () => {
  const done = inTurn(async (boxes) => {
    await boxes.input({ prompt: 'a' });
    throw new Error('broken');
  });
  answered('1');
  await assert.rejects(done, /broken/);
  assert.equal(window.front, undefined);
});
