/** Days of writing as a page: bars, and the same in a table. No editor in here; every text is given. */

export interface Day {
  /** Year, month and day: 2026-03-01. */
  day: string;
  count: number;
}

export interface Texts {
  /** A language tag. */
  language: string;
  title: string;
  /** What stands above the chart: a name and its value. */
  facts: [string, string][];
  /** What the chart shows, for who does not see it. */
  described: string;
  goal: string;
  day: string;
  count: string;
  /** Said in the table of a day that reached the goal. */
  reached: string;
  empty: string;
  /** What can be done from the page: what is said, and the command that does it. */
  acts: { label: string; command: string }[];
}

const WIDTH = 720;
const HEIGHT = 200;
const FOOT = 22;
const LEFT = 52;
const RIGHT = 18;

/** The last `most` days up to `today`; one on which nothing was written has 0. */
export function filled(days: readonly Day[], today: string, most: number): Day[] {
  const known = new Map(days.map(({ day, count }) => [day, count]));
  const end = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: most }, (_, index) => {
    const day = new Date(end - (most - 1 - index) * 86_400_000).toISOString().slice(0, 10);
    return { day, count: known.get(day) ?? 0 };
  });
}

/** How many of the last days, one behind the other, something was written on; today may still come. */
export function inARow(days: readonly Day[]): number {
  const counts = days.map(({ count }) => count);
  if (counts.length && (counts.at(-1) ?? 0) <= 0) counts.pop();
  const gap = [...counts].reverse().findIndex((count) => count <= 0);
  return gap < 0 ? counts.length : gap;
}

/** The page; it runs no script, loads nothing, and takes its colours from the editor. */
export function page(days: readonly Day[], goal: number, texts: Texts, nonce: string): string {
  const written = days.filter(({ count }) => count !== 0);
  const facts = texts.facts.map(([name, value]) => `<div><dt>${escaped(name)}</dt><dd>${escaped(value)}</dd></div>`);
  const rows = [...written].reverse().map(({ day, count }) => {
    const mark = goal > 0 && count >= goal ? ` <span class="reached">✓<span class="unseen"> ${escaped(texts.reached)}</span></span>` : '';
    return `<tr><th scope="row">${day}</th><td>${shown(count, texts)}${mark}</td></tr>`;
  });
  const acts = texts.acts.map(({ label, command }) => `<a href="command:${escaped(command)}">${escaped(label)}</a>`);
  const table = written.length
    ? `<table><caption>${escaped(texts.described)}</caption><thead><tr><th scope="col">${escaped(texts.day)}</th><th scope="col">${escaped(texts.count)}</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
    : `<p>${escaped(texts.empty)}</p>`;
  return `<!DOCTYPE html>
<html lang="${escaped(texts.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(texts.title)}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(texts.title)}</h1>
<dl>${facts.join('')}</dl>
<p class="acts">${acts.join(' ')}</p>
${picture(days, goal, texts)}
${table}
</main>
</body>
</html>`;
}

function picture(days: readonly Day[], goal: number, texts: Texts): string {
  const most = Math.max(1, goal, ...days.map(({ count }) => count));
  const width = (WIDTH - LEFT - RIGHT) / Math.max(1, days.length);
  const y = (count: number): number => HEIGHT - (HEIGHT - 12) * (Math.max(0, count) / most);
  const bars = days.map(({ day, count }, index) => {
    const x = LEFT + index * width;
    const kind = goal > 0 && count >= goal ? 'bar reached' : 'bar';
    const bar = `<rect class="${kind}" x="${fixed(x + width * 0.15)}" y="${fixed(y(count))}" width="${fixed(width * 0.7)}" height="${fixed(HEIGHT - y(count))}"><title>${day}: ${shown(count, texts)}</title></rect>`;
    const last = days.length - 1 - index;
    const label = last % 7 === 0 ? `<text class="foot" x="${fixed(x + width / 2)}" y="${HEIGHT + FOOT - 6}">${day.slice(5)}</text>` : '';
    return bar + label;
  });
  const line = (count: number, kind: string, name: string): string =>
    `<line class="${kind}" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${fixed(y(count))}" y2="${fixed(y(count))}"><title>${escaped(name)}</title></line><text class="side" x="${LEFT - 6}" y="${fixed(y(count) + 4)}">${shown(count, texts)}</text>`;
  return [
    `<svg role="img" aria-label="${escaped(texts.described)}" viewBox="0 0 ${WIDTH} ${HEIGHT + FOOT}">`,
    line(0, 'axis', '0'),
    // Two numbers on one spot would be none.
    ...(Math.abs(y(most) - y(goal)) > 14 || !goal ? [line(most, 'axis', '')] : []),
    ...bars,
    ...(goal > 0 ? [line(goal, 'goal', `${texts.goal}: ${shown(goal, texts)}`)] : []),
    '</svg>',
  ].join('');
}

function shown(count: number, { language }: Texts): string {
  return count.toLocaleString(language);
}

function fixed(value: number): string {
  return value.toFixed(1);
}

function escaped(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (one) => names[one] ?? one);
}

const STYLE = `
body { color: var(--vscode-foreground); font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); }
main { max-width: 760px; margin: 0 auto; padding: 8px 16px 32px; }
h1 { font-weight: 400; }
dl { display: flex; flex-wrap: wrap; gap: 8px 32px; margin: 16px 0; }
dt { color: var(--vscode-descriptionForeground); }
dd { margin: 2px 0 0; font-size: 1.5em; font-variant-numeric: tabular-nums; }
.acts { display: flex; flex-wrap: wrap; gap: 4px 24px; margin: 0 0 16px; }
a { color: var(--vscode-textLink-foreground); }
svg { display: block; width: 100%; height: auto; }
.bar { fill: var(--vscode-charts-blue); }
rect.reached { fill: var(--vscode-charts-green); }
.reached { color: var(--vscode-charts-green); }
.axis { stroke: var(--vscode-foreground); stroke-opacity: 0.2; }
.goal { stroke: var(--vscode-charts-orange); stroke-dasharray: 5 4; }
text { fill: var(--vscode-descriptionForeground); font-size: 11px; }
.foot { text-anchor: middle; }
.side { text-anchor: end; }
table { border-collapse: collapse; margin-top: 24px; min-width: 240px; }
caption, th { text-align: left; font-weight: 400; }
caption { color: var(--vscode-descriptionForeground); padding-bottom: 6px; }
td { text-align: right; font-variant-numeric: tabular-nums; }
th, td { padding: 3px 16px 3px 0; border-bottom: 1px solid var(--vscode-panel-border, transparent); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
`;
