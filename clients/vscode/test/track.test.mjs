import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './source.mjs';

const { Track } = await load('track');
const track = (pipeline = false) => new Track('r', 'Polish', '一.md', { ability: 'polish', uri: 'file:///1.md' }, pipeline);
const result = (more) => ({ requestId: 'r', ability: 'polish', status: 'completed', stopReason: 'finished', model: 'm', text: 'ab', proposal: null, usage: { input: 1, output: 2 }, error: null, ...more });
const step = (name, phase, more = {}) => ({ event: 'step', data: { index: 0, count: 6, name, phase, ...more } });

test('the steps of a pipeline wait, run batch by batch, and are done or have failed', () => {
  const one = track(true);
  const steps = ['split', 'distil', 'split', 'distil', 'cards'].map((name) => ({ name, label: name.toUpperCase() }));
  const states = () => one.steps.map((s) => `${s.label} ${s.state} ${s.done}/${s.of}`);
  one.event(step('split', 'start', { steps }));
  assert.deepEqual(states(), ['SPLIT running 0/2', 'DISTIL waiting 0/2', 'CARDS waiting 0/1']);
  one.event(step('split', 'end', { ok: true }));
  one.event(step('distil', 'start'));
  assert.deepEqual(states(), ['SPLIT waiting 1/2', 'DISTIL running 0/2', 'CARDS waiting 0/1']);
  one.event(step('distil', 'end', { ok: false }));
  assert.deepEqual(states()[1], 'DISTIL failed 0/2');
  const status = ['completed', 'failed', 'pending', 'pending', 'pending'];
  one.ended(result({ status: 'partial', pipeline: 'breakdown', steps: steps.map(({ name }, at) => ({ name, status: status[at], text: '', batch: 0 })) }));
  assert.deepEqual(states(), ['SPLIT waiting 1/2', 'DISTIL failed 0/2', 'CARDS waiting 0/1']);
  assert.ok(one.acts().includes('resume'));
  assert.equal(one.shown().followed, false);
});

test('a run that is under way can only be stopped, one that has ended never', () => {
  const one = track();
  one.event({ event: 'chunk', data: 'a' });
  one.event({ event: 'tool', data: { id: 't', name: 'read_chapter', phase: 'start', label: 'Read chapter' } });
  assert.deepEqual(one.acts(), ['stop']);
  one.ended(result());
  assert.ok(!one.acts().includes('stop'));
  assert.equal(one.text, 'ab');
  assert.equal(one.tools[0].state, 'failed', 'no tool is at work after the end');
  assert.equal(one.shown().followed, true);
});

test('what waits goes down with every decision, and what the guard marked is no part of "accept all"', () => {
  const one = track();
  const hunk = (index, findings) => ({ index, findings, before: 'a', after: 'b' });
  one.ended(result({ proposal: { id: 'p', hunks: [hunk(0, []), hunk(1, [{ code: 'x', message: 'y' }]), hunk(2, [])] } }));
  assert.deepEqual([one.shown().pending, one.shown().guarded], [3, 1]);
  one.decided({ applied: [0], stale: [], rejected: [2] });
  assert.deepEqual([one.shown().pending, one.shown().guarded], [1, 1]);
  assert.ok(!one.acts().includes('acceptAll') && one.acts().includes('review'));
  one.decided({ applied: [], stale: [1], rejected: [] });
  assert.ok(!one.acts().includes('review') && !one.acts().includes('rejectAll'));
});

test('what the server says that waits is what waits, whoever decided it', () => {
  const one = track();
  const hunk = (index, findings) => ({ index, findings, before: 'a', after: 'b' });
  one.ended(result({ proposal: { id: 'p', hunks: [hunk(0, []), hunk(1, [{ code: 'x', message: 'y' }]), hunk(2, [])] } }));
  one.waits([hunk(1, [{ code: 'x', message: 'y' }])]);
  assert.deepEqual([one.shown().pending, one.shown().guarded], [1, 1]);
  one.waits([]);
  assert.deepEqual([one.shown().pending, one.acts().includes('review')], [0, false]);
  one.waits([hunk(0, []), hunk(2, [])]);
  assert.deepEqual([one.shown().pending, one.shown().guarded, one.acts().includes('acceptAll')], [2, 0, true]);
});

test('without a result a run has failed, says why and can be tried again', () => {
  const one = track();
  one.broke('The server is gone.');
  assert.deepEqual(one.acts(), ['again', 'log']);
  assert.equal(one.shown().trouble, 'The server is gone.');
});

test('what a run had brought before the server was gone is there, and a pipeline goes on from it', () => {
  const one = track();
  one.event({ event: 'chunk', data: 'a' });
  one.event({ event: 'tool', data: { id: 't', name: 'read_chapter', phase: 'start', label: 'Read chapter' } });
  one.broke('The server is gone.');
  assert.deepEqual(one.acts(), ['again', 'answer', 'context', 'journal', 'log']);
  assert.equal(one.tools[0].state, 'failed');
  const other = track(true);
  other.event(step('split', 'start', { steps: [{ name: 'split', label: 'SPLIT' }] }));
  other.broke('The server is gone.');
  assert.deepEqual(other.acts(), ['resume', 'context', 'journal', 'log']);
  assert.equal(other.steps[0].state, 'failed');
});

test('what no longer fits is not counted among what can be accepted, and is named', () => {
  const one = track();
  const hunk = (index, more) => ({ index, findings: [], before: 'a', after: 'b', ...more });
  one.ended(result({ proposal: { id: 'p', hunks: [hunk(0), hunk(1), hunk(2, { findings: [{ code: 'x', message: 'y' }] })] } }));
  const counts = () => [one.shown().pending, one.shown().guarded, one.shown().stale];
  one.waits([hunk(0), hunk(1, { stale: true }), hunk(2, { findings: [{ code: 'x', message: 'y' }], stale: true })]);
  assert.deepEqual(counts(), [1, 0, 2]);
  assert.ok(one.acts().includes('acceptAll'));
  one.waits([hunk(1, { stale: true })]);
  assert.deepEqual(counts(), [0, 0, 1]);
  assert.deepEqual(['review', 'acceptAll', 'rejectAll'].filter((act) => one.acts().includes(act)), ['rejectAll']);
  one.waits([hunk(1)]);
  assert.deepEqual(counts(), [1, 0, 0], 'it fits again when the edit is undone');
});

test('a further message needs an answer to go on from', () => {
  for (const [ended, followed] of [
    [{ status: 'completed' }, true], [{ status: 'partial' }, true], [{ status: 'failed' }, false], [{ status: 'cancelled' }, false],
    [{ status: 'completed', text: '' }, false], [{ status: 'partial', text: '' }, false],
  ]) {
    const one = track();
    one.ended(result(ended));
    assert.equal(one.shown().followed, followed, JSON.stringify(ended));
  }
});
