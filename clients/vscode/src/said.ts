/** Texts of others in messages to the writer. */

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
