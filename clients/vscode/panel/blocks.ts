/** Markdown as HTML, block by block, so that what has not changed need not be drawn again. */

import MarkdownIt from 'markdown-it';

type Token = ReturnType<MarkdownIt['parse']>[number];
type StateInline = InstanceType<MarkdownIt['inline']['State']>;

const markdown = new MarkdownIt({ html: false, linkify: false, breaks: true });
// What a model wrote leads nowhere and loads nothing: links and pictures stand there as they were written.
markdown.validateLink = () => false;

// A style of its own is what the page forbids: how a column stands is said by an attribute.
for (const cell of ['th_open', 'td_open'] as const) {
  markdown.renderer.rules[cell] = (tokens, at, options, _env, renderer) => {
    for (const pair of tokens[at]?.attrs ?? []) if (pair[0] === 'style') [pair[0], pair[1]] = ['align', pair[1].replace('text-align:', '')];
    return renderer.renderToken(tokens, at, options);
  };
}

/** Chinese punctuation ends no word: `**“不悔”**二字` is strong to who wrote it, if not to CommonMark. */
const WIDE = /[\u2018-\u201d\u2026\u3000-\u303f\ufe30-\ufe4f\uff00-\uffef]/;

class Inline extends markdown.inline.State {
  override scanDelims(start: number, canSplitWord: boolean): ReturnType<StateInline['scanDelims']> {
    const found = super.scanDelims(start, canSplitWord);
    const before = this.src.charAt(start - 1);
    const after = this.src.charAt(start + found.length);
    if (!WIDE.test(before) && !WIDE.test(after)) return found;
    const space = (one: string): boolean => one === '' || /\s/.test(one);
    return { ...found, can_open: found.can_open || !space(after), can_close: found.can_close || !space(before) };
  }
}
markdown.inline.State = Inline;

/** The top-level blocks of a text. */
export function blocks(text: string): string[] {
  const env = {};
  const out: string[] = [];
  let open: Token[] = [];
  for (const token of markdown.parse(text, env)) {
    open.push(token);
    if (token.level > 0 || token.nesting > 0) continue;
    out.push(markdown.renderer.render(open, markdown.options, env));
    open = [];
  }
  return out;
}
