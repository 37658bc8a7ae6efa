/** Whether an address can be that of a model. No editor in here. */

/**
 * `clear`: without encryption to another machine; `secret`: it holds what nobody is to read; `fragment`: it holds what
 * is never sent; `address`: it is none.
 */
export type Fault = 'clear' | 'secret' | 'fragment' | 'address';

/** What is wrong with an address, by the server's own rule; undefined: nothing. */
export function wrong(text: string): Fault | undefined {
  const typed = text.trim();
  // An URL forgives what the server does not: it takes the address as it is typed.
  const host = /^https?:\/\/([^\s\\/?#]+)[^\s\\]*$/i.exec(typed)?.[1];
  if (!host || !URL.canParse(typed)) return 'address';
  const url = new URL(typed);
  if (!url.hostname || url.port === '0') return 'address';
  if (url.username || url.password || url.search) return 'secret';
  if (typed.includes('#')) return 'fragment';
  return url.protocol === 'https:' || isLoopback(url.hostname, host.replace(/:\d*$/, '')) ? undefined : 'clear';
}

/**
 * As the server has it: the unspecified address is this machine too. An URL has its addresses in one form, IPv6 ones
 * in their short one; of IPv4 ones the server knows no other (127.1 is a name to it).
 */
function isLoopback(host: string, typed: string): boolean {
  const name = host.replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  if (name === '0.0.0.0' || /^127(\.\d+){3}$/.test(name)) return typed.replace(/\.$/, '') === name;
  return /^\[::(1|ffff:(7f[0-9a-f]{2}:[0-9a-f]+|0:0))?\]$/.test(name);
}

/**
 * The name of the key for a model at an address. A key belongs to the place that it was given for: what a model of
 * another place uses is not asked for anew under the same name, which would be sent nowhere.
 */
export function keyName(name: string, endpoint: string, models: Record<string, Record<string, unknown> | undefined>): string {
  const here = placeOf(endpoint);
  const taken = Object.values(models).some((one) => one?.key === `editor:${name}` && placeOf(one.endpoint) !== here);
  return taken ? `${name.slice(0, 24)}-${here.replace(/[^A-Za-z0-9.]+/g, '-').slice(-39)}` : name;
}

function placeOf(endpoint: unknown): string {
  return typeof endpoint === 'string' && URL.canParse(endpoint.trim()) ? new URL(endpoint.trim()).host : '';
}
