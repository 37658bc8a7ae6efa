/** Whether a server and an extension are made for each other. Knows numbers, not the editor. */

export type Fit = 'fits' | 'older' | 'newer' | 'unknown';

/**
 * How the server's version stands to the extension's. Before 1.0 a second number that differs promises nothing;
 * from then on a newer server still speaks with an older extension, not the other way round.
 */
export function fit(server: string | undefined, extension: string): Fit {
  const theirs = numbers(server);
  const ours = numbers(extension);
  if (!theirs || !ours) return 'unknown';
  const major = theirs[0] - ours[0];
  if (major !== 0) return major < 0 ? 'older' : 'newer';
  const minor = theirs[1] - ours[1];
  if (minor === 0 || (minor > 0 && ours[0] > 0)) return 'fits';
  return minor < 0 ? 'older' : 'newer';
}

function numbers(version: string | undefined): [number, number] | undefined {
  const found = /^v?(\d+)\.(\d+)/.exec(version ?? '');
  return found ? [Number(found[1]), Number(found[2])] : undefined;
}
