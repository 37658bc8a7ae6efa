// Runs inside the extension host, with the editor's whole API. run() resolves when every case held.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

const SECONDS = process.env.QUICK ? 10 : 120;
const shots = process.env.INKWRIGHT_TEST_REPORT;
const cases = [];
const test = (name, body) => cases.push({ name, body });

let api;
let folder;
let model;
let original;

exports.run = async () => {
  folder = vscode.workspace.workspaceFolders[0].uri;
  ({ control: model } = await import(process.env.INKWRIGHT_TEST_MODEL_MODULE));
  model = model(process.env.INKWRIGHT_TEST_MODEL);
  original = fs.readFileSync(chapter().fsPath, 'utf8');
  const failed = [];
  for (const { name, body } of process.env.QUICK ? cases.slice(0, 1) : cases) {
    const begin = Date.now();
    try {
      await body();
      console.log(`ok ${name} (${Date.now() - begin} ms)`);
    } catch (error) {
      failed.push(name);
      console.log(`FAILED ${name}: ${error.stack ?? error}`);
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors').then(undefined, () => undefined);
  }
  if (shots) fs.writeFileSync(shots, JSON.stringify({ cases: cases.map((c) => c.name), failed }));
  if (failed.length) throw new Error(`failed: ${failed.join(', ')}`);
};

const chapter = () => vscode.Uri.joinPath(folder, '第一章 雨夜.md');

async function until(what, probe) {
  const end = Date.now() + SECONDS * 1000;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > end) throw new Error(`never: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The chapter in an editor, with the text that the file had at the start and nothing pending. */
async function fresh() {
  const document = await vscode.workspace.openTextDocument(chapter());
  const editor = await vscode.window.showTextDocument(document);
  editor.selection = new vscode.Selection(0, 0, 0, 0);
  for (const proposal of await pending()) await api.review.reject({ proposal: proposal.id, hunks: proposal.hunks.map((h) => h.index) });
  await set(document, original);
  return { document, editor };
}

async function set(document, text) {
  if (document.getText() === text) return;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
  await document.save();
}

async function type(document, at, text, length = 0) {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(at), document.positionAt(at + length)), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

const pending = () => api.connection.execute('inkwright.listProposals', { uri: chapter().toString() });

const diffs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs)
  .filter((tab) => tab.input instanceof vscode.TabInputTextDiff);

/** The right side of the review, once it shows `text`. */
async function right(text) {
  const tab = await until('the diff is open', () => diffs()[0]);
  const document = await vscode.workspace.openTextDocument(tab.input.modified);
  await until('the right side shows the proposal', () => document.getText() === text);
  return document;
}

/** The lenses of a document, once there are any. */
const lensesOf = (uri) => until('lenses', async () => {
  const found = await vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri);
  return found.length ? found : undefined;
});

const run = (more = {}) => api.runs.run({ ability: 'polish', uri: chapter().toString(), ...more });

test('the extension starts its server', async () => {
  api = await vscode.extensions.getExtension('inkwright.inkwright').activate();
  await vscode.window.showTextDocument(chapter());
  await until('the server runs', () => api.connection.running);
  // The editor hears of the server's commands a moment after it runs.
  await until('its commands are known', async () => {
    const ids = await vscode.commands.getCommands(true);
    return ['inkwright.runAbility', 'inkwrightClient.polish'].every((id) => ids.includes(id));
  });
});

test('a name has a hover and a definition', async () => {
  const { document } = await fresh();
  const at = document.positionAt(document.getText().indexOf('林晚秋') + 1);
  const hovers = await until('a hover', async () => {
    const found = await vscode.commands.executeCommand('vscode.executeHoverProvider', document.uri, at);
    return found.length ? found : undefined;
  });
  assert.match(hovers.flatMap((h) => h.contents.map((c) => c.value ?? c)).join('\n'), /剑客/);
  const places = await vscode.commands.executeCommand('vscode.executeDefinitionProvider', document.uri, at);
  assert.match((places[0].targetUri ?? places[0].uri).fsPath, /林晚秋\.md$/);
});

test('polishing a whole chapter offline proposes and changes nothing', async () => {
  const { document } = await fresh();
  const result = await run({ model: 'offline' });
  assert.equal(result.status, 'completed');
  assert.equal(result.model, 'offline');
  assert.ok(result.proposal.hunks.length >= 5);
  assert.equal(document.getText(), original);
  assert.equal(fs.readFileSync(chapter().fsPath, 'utf8'), original);
  const after = await right(result.proposal.text);
  assert.notEqual(after.getText(), original);
  assert.equal(api.live.tracks.at(-1).text, result.text);
});

test('one hunk is accepted, one rejected, the rest taken at once', async () => {
  const { document, editor } = await fresh();
  const result = await run({ model: 'offline' });
  const [first, second] = result.proposal.hunks;
  const after = await right(result.proposal.text);
  const lenses = await lensesOf(after.uri);
  const titles = lenses.map((lens) => lens.command.title);
  assert.equal(titles.filter((t) => /^✓ Accept(?! all)/.test(t)).length, result.proposal.hunks.length);
  assert.equal(titles.filter((t) => t === '✗ Reject').length, result.proposal.hunks.length);
  assert.ok(titles.some((t) => t.startsWith('✓ Accept all')));

  const accept = lenses.find((lens) => /^✓ Accept(?! all)/.test(lens.command.title));
  await vscode.commands.executeCommand(accept.command.command, ...accept.command.arguments);
  assert.equal(document.getText(), original.replace(first.before, first.after));

  // The second by the cursor, in the right side of the diff.
  const there = await vscode.window.showTextDocument(after);
  const at = after.positionAt(after.getText().indexOf(second.after) + 3);
  there.selection = new vscode.Selection(at, at);
  await vscode.commands.executeCommand('inkwrightClient.rejectHunk');
  assert.equal(document.getText(), original.replace(first.before, first.after));
  await until('the right side lost it', () => !after.getText().includes(second.after) && after.getText().includes(second.before));

  await vscode.window.showTextDocument(document, editor.viewColumn);
  await vscode.commands.executeCommand('inkwrightClient.acceptAll');
  assert.equal(document.getText(), result.proposal.text.replace(second.after, second.before));
  assert.deepEqual(await pending(), []);
  await until('the diff is closed', () => diffs().length === 0);

  // Each acceptance is an edit of its own that undo takes back.
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand('undo');
  assert.equal(document.getText(), original.replace(first.before, first.after));
});

test('by keys one goes from hunk to hunk, though one begins where the other ends', async () => {
  const { document, editor: { viewColumn } } = await fresh();
  const { proposal } = await run({ model: 'offline' });
  const [first, second, third] = proposal.hunks;
  assert.ok(original.includes(first.before + second.before), 'they touch');
  await right(proposal.text);
  const editor = await vscode.window.showTextDocument(document, viewColumn);
  await until('it is in front', () => vscode.window.activeTextEditor === editor);
  const put = (offset) => { const at = document.positionAt(offset); editor.selection = new vscode.Selection(at, at); };
  const here = () => document.offsetAt(editor.selection.active);
  const begins = (hunk) => document.getText().indexOf(hunk.before);

  put(begins(first));
  await vscode.commands.executeCommand('inkwrightClient.acceptHunk');
  assert.equal(here(), begins(second));
  await vscode.commands.executeCommand('undo');
  await until('it waits again', async () => (await pending())[0].hunks.length === proposal.hunks.length);
  // Where both meet it is the one that begins there.
  put(begins(second));
  await vscode.commands.executeCommand('inkwrightClient.rejectHunk');
  assert.equal(here(), begins(third));
  put(begins(first));
  await vscode.commands.executeCommand('inkwrightClient.acceptHunk');
  assert.equal(document.getText(), original.replace(first.before, first.after));
});

test('undo and redo on the right side of a review are those of the chapter', async () => {
  const { document } = await fresh();
  const { proposal } = await run({ model: 'offline' });
  const after = await right(proposal.text);
  const [first] = proposal.hunks;
  await api.review.accept({ proposal: proposal.id, hunks: [first.index] });
  const accepted = original.replace(first.before, first.after);
  assert.equal(document.getText(), accepted);
  const waiting = async () => (await pending()).flatMap(({ hunks }) => hunks.filter(({ stale }) => !stale)).length;
  for (const [how, text, count] of [['undo', original, proposal.hunks.length], ['redo', accepted, proposal.hunks.length - 1], ['undo', original, proposal.hunks.length]]) {
    await vscode.window.tabGroups.close(diffs());
    await api.review.open(chapter());
    await until('the right side is in front', () => vscode.window.activeTextEditor?.document.uri.scheme === after.uri.scheme);
    await until(`${how} is heard`, async () => {
      await vscode.commands.executeCommand(`inkwrightClient.${how}`);
      return document.getText() === text;
    });
    await until('as much waits', async () => (await waiting()) === count);
    assert.equal(diffs().length, 1, 'the review stays where it is');
    assert.equal(vscode.window.activeTextEditor.document.uri.scheme, after.uri.scheme, 'and so does the writer');
  }
});

test('what waits follows a chapter that is renamed, and a run is about its new name', async () => {
  await fresh();
  const { proposal } = await run({ model: 'offline' });
  await right(proposal.text);
  const to = vscode.Uri.joinPath(folder, '第一章 江边.md');
  const rename = async (from, now) => {
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(from, now);
    assert.ok(await vscode.workspace.applyEdit(edit));
  };
  await rename(chapter(), to);
  try {
    const there = () => api.review.waiting(to)?.composed.placed.length;
    await until('it waits there', () => there() === proposal.hunks.length);
    assert.equal(api.review.waiting(chapter()), undefined);
    const track = api.live.tracks.at(-1);
    assert.equal(vscode.Uri.parse(track.uri).toString(), to.toString());
    assert.equal(track.file, '第一章 江边.md');
    await vscode.window.showTextDocument(to);
    await api.review.all(vscode.Uri.parse(track.uri), 'accept');
    const document = await vscode.workspace.openTextDocument(to);
    assert.equal(document.getText(), proposal.text);
    await document.save();
  } finally {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rename(to, chapter());
  }
  await fresh();
});

test('nothing is decided in a chapter that nobody looks at', async () => {
  const { document } = await fresh();
  const { proposal } = await run({ model: 'offline' });
  await right(proposal.text);
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await until('nothing is in front', () => !vscode.window.activeTextEditor);
  for (const command of ['acceptHunk', 'rejectHunk', 'acceptAll', 'rejectAll', 'nextHunk']) {
    await vscode.commands.executeCommand(`inkwrightClient.${command}`);
    assert.equal(vscode.window.activeTextEditor, undefined, `${command} opens nothing`);
  }
  assert.equal(document.getText(), original);
  assert.equal((await pending())[0].hunks.length, proposal.hunks.length);
});

test('a passage selected in a review is one of the chapter as it stands', async () => {
  const { document } = await fresh();
  const { proposal } = await run({ model: 'offline' });
  const after = await right(proposal.text);
  const [first] = proposal.hunks;
  const editor = await vscode.window.showTextDocument(after);
  const passage = async () => {
    const at = after.getText().indexOf(first.after);
    editor.selection = new vscode.Selection(after.positionAt(at + 1), after.positionAt(at + first.after.length - 1));
    return document.getText(await api.review.inChapter(editor));
  };
  assert.equal(await passage(), first.before, 'a change counts as a whole');
  await type(document, document.getText().indexOf('# 第一章'), '写在前面。\n\n');
  await until('the right side follows', () => after.getText().includes('写在前面'));
  assert.equal(await passage(), first.before, 'and is found where it stands now');
});

test('what was polished has nothing left to polish', async () => {
  const { document } = await fresh();
  const result = await run({ model: 'offline' });
  await api.review.accept({ proposal: result.proposal.id });
  assert.equal(document.getText(), result.proposal.text);
  const again = await run({ model: 'offline' });
  assert.equal(again.status, 'completed');
  assert.equal(again.proposal, null);
});

test('a light bulb on the right side accepts and rejects too', async () => {
  const { document } = await fresh();
  const result = await run({ model: 'offline' });
  const after = await right(result.proposal.text);
  const hunk = result.proposal.hunks[0];
  const at = after.positionAt(after.getText().indexOf(hunk.after) + 1);
  const actions = await vscode.commands.executeCommand('vscode.executeCodeActionProvider', after.uri, new vscode.Range(at, at));
  const accept = actions.find((action) => action.title.startsWith('Accept: '));
  await vscode.commands.executeCommand(accept.command.command, ...accept.command.arguments);
  assert.equal(document.getText(), original.replace(hunk.before, hunk.after));
});

test("the server's own actions and lenses run through the client", async () => {
  const { document } = await fresh();
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  const actions = await until('the ability is offered', async () => {
    const found = await vscode.commands.executeCommand('vscode.executeCodeActionProvider', document.uri, whole);
    const polish = found.filter((action) => action.command?.command === 'inkwright.runAbility' && action.command.arguments[0].ability === 'polish');
    return polish.length ? polish : undefined;
  });
  const result = await vscode.commands.executeCommand(actions[0].command.command, ...actions[0].command.arguments);
  assert.equal(result.status, 'completed');
  await right(result.proposal.text);
  assert.deepEqual(await vscode.commands.executeCommand('vscode.executeCodeLensProvider', document.uri), []);
  await vscode.window.tabGroups.close(diffs());
  const lenses = await until('lenses in the chapter', async () => {
    const found = await vscode.commands.executeCommand('vscode.executeCodeLensProvider', document.uri);
    const accept = found.filter((lens) => lens.command?.command === 'inkwright.acceptProposal' && lens.command.arguments[0].hunks.length === 1);
    return accept.length ? accept : undefined;
  });
  await vscode.commands.executeCommand(lenses[0].command.command, ...lenses[0].command.arguments);
  const hunk = result.proposal.hunks[lenses[0].command.arguments[0].hunks[0]];
  assert.equal(document.getText(), original.replace(hunk.before, hunk.after));
});

test('cancel in the middle leaves the buffer byte for byte and closes the connection', async () => {
  const { document } = await fresh();
  await model.plan([...body()], 5);
  const running = run({ model: 'slow' });
  await until('the text streams', async () => (await model.state()).sent === 5 && api.runs.ids.length === 1);
  await until('the live text shows it', () => api.live.tracks.at(-1).text.endsWith(body().slice(0, 5)));
  const version = document.version;
  await vscode.commands.executeCommand('inkwrightClient.cancel');
  const result = await running;
  assert.equal(result.status, 'cancelled');
  await until('the model sees the close', async () => (await model.state()).closed);
  assert.equal((await model.state()).sent, 5);
  assert.equal(document.getText(), original);
  assert.equal(document.version, version);
  assert.equal(fs.readFileSync(chapter().fsPath, 'utf8'), original);
  assert.deepEqual(await pending(), []);
  assert.equal(api.runs.ids.length, 0);
});

test('typing while the model works: what was touched is stale, the rest lands right', async () => {
  const { document } = await fresh();
  const answer = body().replace('雨还在下', '雨还没有停').replace('才听见脚步声', '才听见有人来');
  await model.plan([answer.slice(0, 20), answer.slice(20)], 1);
  const running = run({ model: 'slow' });
  await until('the text streams', async () => (await model.state()).sent === 1);
  await type(document, document.getText().indexOf('# 第一章'), '写在前面。\n\n');
  await type(document, document.getText().indexOf('脚步声'), '轻轻的');
  const typed = document.getText();
  await model.go();
  const result = await running;
  assert.equal(result.status, 'completed');
  assert.equal(result.proposal.hunks.length, 2);
  assert.equal(document.getText(), typed);
  await right(typed.replace('雨还在下', '雨还没有停'));
  const verdict = await api.review.accept({ proposal: result.proposal.id, hunks: [0, 1] });
  assert.deepEqual(verdict, { applied: [0], stale: [1], rejected: [] });
  assert.equal(document.getText(), typed.replace('雨还在下', '雨还没有停'));
});

test('a change that loses a name is marked, and "accept all" leaves it', async () => {
  const { document } = await fresh();
  const answer = body().replace('林晚秋推开门,雨还在下。', '她推开门,雨还没有停。').replace('才听见脚步声', '才听见有人来');
  await model.plan([answer], 0);
  void model.go();
  const running = run({ model: 'slow' });
  await until('it was asked', async () => (await model.state()).requests === 1);
  await model.go();
  const result = await running;
  assert.equal(result.status, 'completed');
  const after = await right(result.proposal.text);
  const lenses = await lensesOf(after.uri);
  assert.ok(lenses.some((lens) => lens.command.title.startsWith('⚠') && lens.command.title.includes('林晚秋')));
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand('inkwrightClient.acceptAll');
  assert.equal(document.getText(), original.replace('才听见脚步声', '才听见有人来'));
  assert.equal((await pending())[0].hunks.length, 1);
});

test('a selection is polished alone', async () => {
  const { document, editor } = await fresh();
  const line = document.positionAt(document.getText().indexOf('林晚秋推开门')).line;
  editor.selection = new vscode.Selection(line, 0, line, document.lineAt(line).text.length);
  await vscode.commands.executeCommand('inkwrightClient.polish');
  const proposals = await pending();
  assert.equal(proposals.length, 1);
  assert.ok(proposals[0].hunks.every((hunk) => hunk.range.start.line === line));
  assert.equal(document.getText(), original);
});

test('a report is a document of its own and leaves the chapter alone', async () => {
  const { document } = await fresh();
  const result = await run({ ability: 'analysis', model: 'offline' });
  assert.equal(result.status, 'completed');
  const shown = await until('the answer is shown', () => vscode.workspace.textDocuments.find((d) => d.uri.scheme === 'inkwright-answer'));
  assert.equal(shown.getText(), result.text);
  assert.equal(document.getText(), original);
});

test('a model that cannot be reached is a message, not an exception', async () => {
  await fresh();
  const result = await run({ model: 'nobody' });
  assert.equal(result.status, 'failed');
  assert.ok(result.error.message.length > 10);
  assert.equal(api.connection.running, true);
});

test('the pipeline of a breakdown makes cards that quote the chapter, and no card twice', async () => {
  const source = broken();
  const result = await api.runs.pipeline({ uri: source.toString() });
  assert.equal(result.status, 'completed');
  assert.deepEqual([...new Set(result.steps.map((step) => step.status))], ['completed']);
  assert.ok(result.cards.length > 0);
  for (const card of result.cards) {
    const text = fs.readFileSync(vscode.Uri.joinPath(source, '..', card).fsPath, 'utf8');
    const quotes = [...text.matchAll(/^> (.+)$/gm)].map((match) => match[1]);
    assert.ok(quotes.length > 0, text);
    for (const quote of quotes) assert.ok(original.includes(quote), quote);
  }
  const shown = await until('the answer is shown', () => vscode.workspace.textDocuments.find((d) => d.uri.scheme === 'inkwright-answer' && d.uri.query === result.requestId));
  assert.match(shown.getText(), /- ✓ cards 1\/1/);
  assert.ok(shown.getText().endsWith(result.text));
  const again = await api.runs.pipeline({ uri: source.toString() });
  assert.deepEqual(again.cards, result.cards);
  assert.equal(fs.readdirSync(vscode.Uri.joinPath(source, '..', 'cards').fsPath).length, result.cards.length);
});

test('a pipeline that was cancelled keeps its finished steps and is resumed', async () => {
  const uri = broken('第二章').toString();
  await model.plan(['第一段：开门。'], 0);
  const running = api.runs.pipeline({ uri, model: 'slow' });
  await until('the first step is asked for', async () => (await model.state()).requests === 1);
  await model.go();
  await until('the second step is asked for', async () => (await model.state()).requests === 2);
  await vscode.commands.executeCommand('inkwrightClient.cancel');
  const stopped = await running;
  assert.equal(stopped.status, 'cancelled');
  assert.deepEqual(stopped.steps.map((step) => step.status), ['completed', 'cancelled', 'pending']);
  const whole = await api.runs.pipeline({ uri, resume: stopped.requestId, model: 'offline' });
  assert.equal(whole.status, 'completed');
  assert.equal(whole.steps[0].text, stopped.steps[0].text);
  assert.equal(api.live.tracks.at(-1).text, whole.text);
  assert.ok(whole.cards.length > 0);
});

test('a novel has no pipeline; the cards of one that is named wait until they are accepted', async () => {
  const file = vscode.Uri.joinPath(folder, '第三章 渡口.md');
  fs.writeFileSync(file.fsPath, RICH);
  const uri = file.toString();
  const last = api.live.tracks.at(-1);
  assert.equal((await api.runs.pipeline({ uri })).error.code, 'no_pipeline');
  assert.equal(api.live.tracks.at(-1), last, 'what did not run has no row');
  await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
  const result = await api.runs.pipeline({ uri, pipeline: 'breakdown' });
  assert.deepEqual(result.cards, []);
  const waiting = () => api.connection.execute('inkwright.listCandidates', { uri });
  const before = fs.readdirSync(vscode.Uri.joinPath(folder, 'cards').fsPath).length;
  const [first, second, ...rest] = (await waiting()).map((one) => one.id);
  assert.ok(second);
  await api.candidates.accept(uri, [first]);
  await api.candidates.reject(uri, [second]);
  assert.deepEqual((await waiting()).map((one) => one.id), rest);
  assert.equal(fs.readdirSync(vscode.Uri.joinPath(folder, 'cards').fsPath).length, before + 1);
});

test('a memory changes only as it was shown, and goes when it is deleted', async () => {
  const uri = chapter().toString();
  await run({ ability: 'analysis', model: 'offline', message: '我喜欢短句，少用形容词' });
  const all = async () => (await api.connection.execute('inkwright.listMemories', { uri })).memories;
  const [memory] = await until('it is remembered', async () => ((await all()).length ? all() : undefined));
  assert.match(memory.content, /短句/);
  assert.equal(await api.memories.update(uri, memory, { pinned: true }), true);
  assert.equal(await api.memories.update(uri, memory, { content: '我喜欢长句' }), false);
  const [now] = await all();
  assert.deepEqual([now.pinned, now.content], [true, memory.content]);
  assert.equal(await api.memories.delete(uri, now), true);
  assert.equal(await api.memories.delete(uri, now), false);
  assert.deepEqual(await all(), []);
});

test('what is found in the book is gone to', async () => {
  await fresh();
  void vscode.commands.executeCommand('inkwrightClient.search', '码头上');
  const selected = await until('the place is selected', async () => {
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    const editor = vscode.window.activeTextEditor;
    return editor && editor.document.getText(editor.selection) === '码头上' ? editor : undefined;
  });
  assert.match(selected.document.uri.fsPath, /\.md$/);
});

test('a summary is kept and shown, and a text to insert goes to the cursor', async () => {
  const { document } = await fresh();
  const result = await run({ ability: 'summary', model: 'offline' });
  assert.equal(result.status, 'completed');
  const shown = await until('the summary is shown', () => vscode.workspace.textDocuments.find((d) => d.uri.scheme === 'inkwright-answer' && d.uri.query === document.uri.toString()));
  assert.ok(shown.getText().includes(result.text.trim().slice(0, 10)), shown.getText());

  await model.plan(['她又等了一夜。'], 1);
  const at = document.positionAt(document.getText().indexOf('窗外的灯'));
  const range = { start: { line: at.line, character: at.character }, end: { line: at.line, character: at.character } };
  const more = await run({ ability: 'continue', model: 'slow', range });
  assert.equal(more.status, 'completed');
  assert.equal(document.getText(), original);
  const [hunk] = more.proposal.hunks;
  assert.equal(hunk.before, '');
  assert.match(hunk.after, /她又等了一夜。/);
  assert.equal(hunk.range.start.line, at.line);
});

test('a setting is heard while a run goes on, and so is that it is gone', async () => {
  const { document } = await fresh();
  const rule = async () => (await api.connection.execute('inkwright.stats', { uri: document.uri.toString(), brief: true })).rule;
  const before = await rule();
  await model.plan([body()], 0);
  const running = run({ model: 'slow' });
  await until('it was asked', async () => (await model.state()).requests === 1);
  const section = vscode.workspace.getConfiguration('inkwright');
  await section.update('count', 'nonspace', vscode.ConfigurationTarget.Workspace);
  await until('it counts by the other rule', async () => (await rule()) === 'nonspace');
  await section.update('count', undefined, vscode.ConfigurationTarget.Workspace);
  await until('it counts as before', async () => (await rule()) === before);
  await model.go();
  assert.equal((await running).status, 'completed');
});

test('a server that dies is started again and nothing is lost', async () => {
  const { document } = await fresh();
  const result = await run({ model: 'offline' });
  const count = result.proposal.hunks.length;
  await api.connection.start();
  await until('the server runs', () => api.connection.running);
  const proposals = await pending();
  assert.equal(proposals.length, 1);
  assert.equal(proposals[0].hunks.length, count);
  await api.review.accept({ proposal: proposals[0].id });
  assert.equal(document.getText(), result.proposal.text);
});

const RICH = `# 第三章 渡口

林晚秋推开门，雨还在下。她握着一把旧剑，剑鞘上刻着“不悔”二字。周衡说：“你终于来了。”

十年前，周衡在渡口救过她的命，又在同一个渡口卖了她的师父。她记得那一夜的灯，一盏一盏地灭了。

“你师父留下一封信。”周衡把信放在桌上，“他要你去青石镇，找一个姓沈的铁匠。”
`;

/** A chapter in a breakdown of a book, with the text that the other chapter has. */
function broken(name = '第一章') {
  const place = vscode.Uri.joinPath(folder, '拆书');
  fs.mkdirSync(place.fsPath, { recursive: true });
  fs.writeFileSync(vscode.Uri.joinPath(place, 'book.toml').fsPath, 'title = "拆书"\ntype = "breakdown"\n');
  const file = vscode.Uri.joinPath(place, `${name}.md`);
  fs.writeFileSync(file.fsPath, original);
  return file;
}

/** The chapter without its front matter: what a model is given to rewrite. */
function body() {
  return original.slice(original.indexOf('# 第一章'));
}
