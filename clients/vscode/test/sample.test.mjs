import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './source.mjs';

const { Sample, vscode } = await load('sample');

/** Which steps are ticked off once the server is there in a window with these folders. */
async function ticked(...folders) {
  vscode.workspace.workspaceFolders = folders.map((folder) => ({ uri: vscode.Uri.parse(folder) }));
  const marked = [];
  const steps = { mark: (step) => marked.push(step), open: () => assert.fail('nobody asked for the walkthrough') };
  const memory = { get: () => undefined, update: () => assert.fail('nothing is on its way') };
  await new Sample({}, vscode.Uri.parse('file:///storage'), memory, steps).arrived();
  return marked;
}

test('the step of the sample book is ticked off in the sample book, and by no other folder', async () => {
  assert.deepEqual(await ticked('file:///storage/sample/The%20Ferry'), ['book']);
  assert.deepEqual(await ticked('file:///books/mine', 'file:///storage/sample/渡口'), ['book']);
  assert.deepEqual(await ticked('file:///books/mine'), []);
  assert.deepEqual(await ticked('file:///storage/samples/mine', 'file:///storage/sample'), [], 'beside it is elsewhere');
  assert.deepEqual(await ticked(), []);
});
