/** Texts as messages and boxes can show them. */

/**
 * A text without links. VS Code makes `[…](…)` in a message one that is clicked, commands among them, and a file's
 * name or what a model's host answered is not ours.
 */
export function unlinked(text: string): string {
  return text.replaceAll('](', '] (');
}

/** What went wrong, as a message says it. */
export function why(error: unknown): string {
  return unlinked(error instanceof Error ? error.message : String(error));
}

/** For a box of one line, which drops line ends: what stood on two lines would run into each other. */
export function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]\s*/g, ' ');
}
