/** What is no word of the server's: that it does not hear any more. */

/** The line's own codes: what was not written, not read, not answered, or not begun since it ended. */
const CUT = new Set<unknown>([
  'EPIPE',
  'ECONNRESET',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  -32099,
  -32098,
  -32097,
  -32096,
  // Closed and disposed, as the library numbers them.
  1,
  2,
]);

/** Whether the line to the server was cut, which is seen sometimes before its end is. */
export function isCut(error: unknown): boolean {
  return CUT.has(((error ?? {}) as { code?: unknown }).code);
}
