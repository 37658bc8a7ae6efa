/** The run panel: a view that shows the runs of this window. What it shows lies in the extension; it is drawn anew. */

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Live } from './live';
import type { Act, Frame, Said, Track } from './track';
import * as settings from './settings';

export const PANEL = 'inkwright.run';

/** What the panel's buttons do. */
export interface PanelActs {
  act(track: Track, act: Act): unknown;
  follow(track: Track, message: string): unknown;
  start(): unknown;
  earlier(): unknown;
}

export class Panel implements vscode.WebviewViewProvider, vscode.Disposable {
  private view: vscode.WebviewView | undefined;
  /** How much of its texts the page has of each run, and whether that is all there will be. */
  private readonly told = new Map<string, { text: number; reasoning: number; ended: boolean }>();
  private readonly parts: vscode.Disposable[];

  constructor(
    private readonly root: vscode.Uri,
    private readonly live: Live,
    private readonly acts: PanelActs,
  ) {
    this.parts = [
      vscode.window.registerWebviewViewProvider(PANEL, this),
      live.onChanged(() => this.tell()),
      live.onBegan(() => {
        if (settings.liveText()) void this.show();
      }),
    ];
  }

  /** Shows the panel; the writer goes on where they are. */
  async show(preserveFocus = true): Promise<void> {
    this.live.visible = true;
    await vscode.commands.executeCommand(`${PANEL}.focus`, { preserveFocus });
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    const out = vscode.Uri.joinPath(this.root, 'out');
    view.webview.options = { enableScripts: true, localResourceRoots: [out] };
    this.told.clear();
    view.webview.onDidReceiveMessage((said: Said) => this.hear(said));
    view.onDidChangeVisibility(() => this.seen());
    view.onDidDispose(() => {
      if (this.view !== view) return;
      this.view = undefined;
      this.live.visible = false;
    });
    const file = (name: string): string => view.webview.asWebviewUri(vscode.Uri.joinPath(out, name)).toString();
    view.webview.html = page(file('page.js'), file('page.css'), view.webview.cspSource);
    this.seen();
  }

  dispose(): void {
    for (const part of this.parts) part.dispose();
  }

  private seen(): void {
    this.live.visible = this.view?.visible ?? false;
  }

  private hear(said: Said): void {
    switch (said.kind) {
      case 'ready':
        // A page that was hidden and is shown again has nothing.
        this.told.clear();
        this.tell();
        break;
      case 'start':
        void this.acts.start();
        break;
      case 'past':
        void this.acts.earlier();
        break;
      case 'select':
        this.live.select(said.id);
        break;
      case 'close':
        this.live.close(said.id);
        break;
      case 'follow': {
        const track = this.live.find(said.id);
        if (track?.shown().followed && said.message.trim()) void this.acts.follow(track, said.message);
        break;
      }
      case 'act': {
        const track = this.live.find(said.id);
        if (track?.acts().includes(said.act)) void this.acts.act(track, said.act);
        break;
      }
    }
  }

  private tell(): void {
    const running = this.live.tracks.filter((track) => track.status === 'running').length;
    if (!this.view) return;
    this.view.badge = running ? { value: running, tooltip: vscode.l10n.t('{0} running', running) } : undefined;
    if (!this.view.visible) return;
    const add = this.live.tracks.map((track) => this.news(track));
    const frame: Frame = {
      selected: this.live.selected,
      runs: this.live.tracks.map((track) => track.shown()),
      add: add.filter((one) => one.whole || one.text || one.reasoning),
    };
    void this.view.webview.postMessage(frame);
  }

  /** What the page does not have of a run's texts. At its end it is told all of it once more: that is the answer. */
  private news(track: Track): Frame['add'][number] {
    const { id, text, reasoning } = track;
    const ended = track.status !== 'running';
    const had = this.told.get(id);
    const whole = !had || (ended && !had.ended);
    this.told.set(id, { text: text.length, reasoning: reasoning.length, ended });
    return {
      id,
      whole,
      text: whole ? text : text.slice(had.text),
      reasoning: whole ? reasoning : reasoning.slice(had.reasoning),
    };
  }
}

function page(script: string, style: string, source: string): string {
  const nonce = randomBytes(16).toString('base64');
  const said = texts();
  const escaped = (text: string): string => text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
  const say = (key: keyof typeof said): string => escaped(said[key]);
  return `<!DOCTYPE html>
<html lang="${escaped(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${source}; script-src 'nonce-${nonce}';">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
<title>Inkwright</title>
</head>
<body data-texts="${escaped(JSON.stringify(said))}">
<nav id="runs" role="tablist" aria-label="${say('runs')}" hidden></nav>
<div id="empty"><p>${say('empty')}</p><button id="start" class="first" type="button">${say('start')}</button> <button id="past" class="quiet" type="button">${say('past')}</button></div>
<main id="run" hidden>
<header>
<div class="line"><h1 id="title"></h1><span id="state" role="status" aria-live="polite"></span><span id="now"></span><span id="usage"></span></div>
<ol id="steps" aria-label="${say('steps')}" hidden></ol>
<div class="line"><div id="acts" role="toolbar" aria-label="${say('acts')}"></div><span id="waiting" class="sub"></span></div>
<p id="trouble" role="alert" hidden></p>
</header>
<div id="scroll" tabindex="-1">
<p id="said" hidden></p>
<details id="tools" hidden><summary id="toolsSummary"></summary><ul id="toolsList"></ul></details>
<details id="reasoning" hidden><summary>${say('reasoning')}</summary><div id="thoughts"></div></details>
<article id="text"></article>
</div>
<form id="follow" hidden><textarea id="message" rows="1" aria-label="${say('message')}" placeholder="${say('message')}"></textarea><button class="second" type="submit">${say('send')}</button></form>
</main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}

/** What stands on the page, by its own keys. */
function texts() {
  return {
    runs: vscode.l10n.t('Runs'),
    empty: vscode.l10n.t('Nothing has run in this window yet.'),
    start: vscode.l10n.t('Run an Ability…'),
    past: vscode.l10n.t('Earlier Runs…'),
    steps: vscode.l10n.t('Steps'),
    acts: vscode.l10n.t('What can be done'),
    reasoning: vscode.l10n.t('How the model thought'),
    message: vscode.l10n.t('What else? The model is told what was said before. Ctrl+Enter sends.'),
    send: vscode.l10n.t('Send'),
    close: vscode.l10n.t('Take out of the list'),
    tools: vscode.l10n.t('What it looked up ({0})'),
    tokens: vscode.l10n.t('{0} tokens in, {1} out'),
    pending: vscode.l10n.t('Changes that wait: {0}.'),
    guarded: vscode.l10n.t('Of these, {0} may lose or change what your text says: look at them one by one.'),
    guardedOne: vscode.l10n.t('One of these may lose or change what your text says: look at it.'),
    stale: vscode.l10n.t('No longer fit, since their text was edited meanwhile: {0}.'),
    notes: vscode.l10n.t('Notes'),
    offline: vscode.l10n.t('offline'),
    running: vscode.l10n.t('running'),
    completed: vscode.l10n.t('completed'),
    partial: vscode.l10n.t('partial'),
    failed: vscode.l10n.t('failed'),
    cancelled: vscode.l10n.t('cancelled'),
    'step.waiting': vscode.l10n.t('waiting'),
    'step.running': vscode.l10n.t('running'),
    'step.done': vscode.l10n.t('done'),
    'step.failed': vscode.l10n.t('failed'),
    stop: vscode.l10n.t('Stop'),
    review: vscode.l10n.t('Review'),
    acceptAll: vscode.l10n.t('✓ Accept all ({0})'),
    rejectAll: vscode.l10n.t('✗ Reject all ({0})'),
    cards: vscode.l10n.t('Open the Cards…'),
    candidates: vscode.l10n.t('Look at the Candidates…'),
    resume: vscode.l10n.t('Resume'),
    again: vscode.l10n.t('Try Again'),
    model: vscode.l10n.t('Set Up a Model…'),
    answer: vscode.l10n.t('Open as a Page'),
    context: vscode.l10n.t('What the Model Saw'),
    journal: vscode.l10n.t('Journal'),
    log: vscode.l10n.t('Show the Log'),
  };
}
