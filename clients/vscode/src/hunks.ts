/** Hunks over a text: what it would be with them, and which one stands at a place. No editor in here. */

/** One hunk that waits. `start` and `end` are UTF-16 offsets in the document as it stands. */
export interface Piece {
  proposal: string;
  index: number;
  start: number;
  end: number;
  before: string;
  after: string;
  findings: string[];
}

/** A piece and where its new text stands in the composed text. */
export interface Placed {
  piece: Piece;
  start: number;
  end: number;
}

export interface Composed {
  text: string;
  placed: Placed[];
}

/**
 * `text` with every piece in it. Proposals come the oldest first: of two pieces that overlap the newer proposal's is
 * taken, for it is what the writer asked for last; of one proposal the first.
 */
export function compose(text: string, pieces: readonly Piece[]): Composed {
  const age = new Map([...new Set(pieces.map(({ proposal }) => proposal))].map((id, at) => [id, at]));
  const order = (a: Piece, b: Piece): number => a.start - b.start || a.end - b.end || a.index - b.index;
  const newest = pieces
    .filter(({ start, end }) => start <= end && end <= text.length)
    .sort((a, b) => (age.get(b.proposal) ?? 0) - (age.get(a.proposal) ?? 0) || order(a, b));
  const sorted: Piece[] = [];
  for (const piece of newest) {
    if (!sorted.some((one) => piece.start < one.end && one.start < piece.end)) sorted.push(piece);
  }
  sorted.sort(order);
  const out: string[] = [];
  const placed: Placed[] = [];
  let from = 0;
  let length = 0;
  for (const piece of sorted) {
    const kept = text.slice(from, piece.start);
    out.push(kept, piece.after);
    length += kept.length;
    placed.push({ piece, start: length, end: length + piece.after.length });
    length += piece.after.length;
    from = piece.end;
  }
  out.push(text.slice(from));
  return { text: out.join(''), placed };
}

/** A stretch of the composed text in the text that it was made of; what a piece changes belongs to it as a whole. */
export function before(placed: readonly Placed[], start: number, end: number): [number, number] {
  const there = (offset: number, ends: boolean): number => {
    const last = placed.findLast((one) => one.start < offset || (!ends && one.start === offset));
    if (!last) return offset;
    if (offset >= last.end) return last.piece.end + offset - last.end;
    return ends ? last.piece.end : last.piece.start;
  };
  const to = there(end, true);
  return [start === end ? to : there(start, false), to];
}

/**
 * The stretch that holds `offset`, else the nearest one on the lines from `lineStart` to `lineEnd`. Where one ends
 * and the next begins it is the one that begins: going from stretch to stretch puts the cursor at their beginnings.
 */
export function at<T extends { start: number; end: number }>(
  stretches: readonly T[],
  offset: number,
  lineStart: number,
  lineEnd: number,
): T | undefined {
  const distance = (s: T): number => (offset < s.start ? s.start - offset : Math.max(0, offset - s.end));
  return stretches
    .filter((s) => s.start <= lineEnd && s.end >= lineStart)
    .sort((a, b) => distance(a) - distance(b) || Number(b.start === offset) - Number(a.start === offset) || a.start - b.start)[0];
}

/** The stretch after `offset`, or the one before it, round and round. `here`: one that begins at it counts as after it. */
export function onward<T extends { start: number }>(stretches: readonly T[], offset: number, step: 1 | -1, here = false): T | undefined {
  const places = [...stretches].sort((a, b) => a.start - b.start);
  if (step < 0) return places.findLast(({ start }) => start < offset) ?? places.at(-1);
  return places.find(({ start }) => start > offset || (here && start === offset)) ?? places[0];
}

/** What really differs between two texts: how much they share at the front and at the end, in whole characters. */
export function shared(before: string, after: string): { front: number; back: number } {
  const most = Math.min(before.length, after.length);
  let front = 0;
  while (front < most && before[front] === after[front]) front += 1;
  if (inside(before, front) || inside(after, front)) front -= 1;
  let back = 0;
  while (back < most - front && before.at(-1 - back) === after.at(-1 - back)) back += 1;
  if (inside(before, before.length - back) || inside(after, after.length - back)) back -= 1;
  return { front, back };
}

/** The same in whole words: half of one says nothing to a reader. Scripts without blanks go by characters. */
export function sharedWords(before: string, after: string): { front: number; back: number } {
  let { front, back } = shared(before, after);
  const left = (text: string, at: number): string => /(?:[\ud800-\udbff][\udc00-\udfff]|[^])$/.exec(text.slice(Math.max(0, at - 2), at))?.[0] ?? '';
  const right = (text: string, at: number): string => (at < text.length ? String.fromCodePoint(text.codePointAt(at) ?? 0) : '');
  for (let last = left(before, front); goesOn(last) && [before, after].some((text) => goesOn(right(text, front))); last = left(before, front)) {
    front -= last.length;
  }
  const end = (text: string): number => text.length - back;
  for (let first = right(before, end(before)); goesOn(first) && [before, after].some((text) => goesOn(left(text, end(text)))); first = right(before, end(before))) {
    back -= first.length;
  }
  return { front, back };
}

/** Whether a character is one of a word that blanks end. */
function goesOn(character: string): boolean {
  return /^[\p{L}\p{M}\p{N}]$/u.test(character) && !/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u.test(character);
}

/** Whether an offset stands between the two halves of a character. */
function inside(text: string, at: number): boolean {
  return at > 0 && at < text.length && /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at));
}
