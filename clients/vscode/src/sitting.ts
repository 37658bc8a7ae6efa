/** What was written since the writer sat down. */

export class Sitting {
  /** The gain of the day when the sitting began, by the book's folder. */
  private readonly began = new Map<string, number>();

  /** The gain of this sitting; `today` is that of the day. A new day begins at nothing. */
  gained(root: string, today: number): number {
    const before = this.began.get(root);
    if (before === undefined) {
      this.began.set(root, today);
      return 0;
    }
    return today - before;
  }
}
