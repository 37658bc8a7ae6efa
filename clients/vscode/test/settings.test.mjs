import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './source.mjs';

const { forServer, goals, vscode } = await load('settings');
const { workspace } = vscode;

test("only what somebody has set is sent: a default would override the writer's own file", () => {
  workspace.given = {};
  assert.deepEqual(forServer(), {});
  workspace.given = { hover: { globalValue: false }, count: { workspaceValue: 'han' } };
  assert.deepEqual(forServer(), { hover: false, count: 'han' });
});

test('what a folder says of models is told apart, and not at all where the folder is not trusted', () => {
  workspace.given = { model: { globalValue: 'mine', workspaceValue: 'theirs' }, maxTokens: { workspaceValue: 5 } };
  assert.deepEqual(forServer(), { model: 'mine', maxTokens: 5, workspace: { model: 'theirs' } });
  workspace.isTrusted = false;
  assert.deepEqual(forServer(), { model: 'mine' });
  workspace.isTrusted = true;
});

test('a book cannot say of itself that it is trusted', () => {
  workspace.given = { trustedFolders: { workspaceValue: ['/'] } };
  assert.deepEqual(forServer(), {});
});

test('a goal that is no number from 0 on counts as none, and is named', () => {
  for (const [value, daily] of [[500, 500], [0, 0], [undefined, 0], [null, 0], ['500', 0], [NaN, 0], [-3, 0], [{}, 0]]) {
    workspace.given = { 'goals.daily': { globalValue: value }, 'goals.session': { globalValue: 7 } };
    const bad = daily === 0 && ![0, undefined, null].includes(value);
    assert.deepEqual(goals(), { daily, session: 7, wrong: bad ? ['inkwright.goals.daily'] : [] }, String(value));
  }
});
