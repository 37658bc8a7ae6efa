/** How often a server may end by itself before it is left alone. */

const MOST = 3;
const SPAN = 3 * 60_000;

export class Crashes {
  private times: number[] = [];

  /** Notes one; whether the server is to be started again. `now` in milliseconds. */
  again(now: number): boolean {
    this.times = [...this.times.filter((time) => now - time < SPAN), now];
    return this.times.length <= MOST;
  }

  /** The writer has started it: all is forgiven. */
  forget(): void {
    this.times = [];
  }
}
