/** An answer as it reads: the line that a model was told to put before its notes is no part of it. No editor in here. */

/** The same as the server cuts at, where an answer becomes a proposal. */
const SEPARATOR = /^[*_# ]*={2,}\s*(?:修改说明|润色说明|修订说明|说明|notes?|changes)\s*(?:[:：]\s*)?={2,}[*_ ]*$/i;

/** `text` with a heading of ours where such a line stands; one that nothing stands before is left out. */
export function noted(text: string, heading: string): string {
  const lines = text.split('\n');
  if (!lines.some((line) => SEPARATOR.test(line.trim()))) return text;
  const out: string[] = [];
  for (const line of lines) {
    if (!SEPARATOR.test(line.trim())) out.push(line);
    else if (out.some((one) => one.trim())) out.push('', `## ${heading}`, '');
  }
  return out.join('\n');
}
