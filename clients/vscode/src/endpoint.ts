/** Whether an address can be that of a model. No editor in here. */

/** `clear`: without encryption to another machine; `secret`: it holds what nobody is to read; `address`: it is none. */
export type Fault = 'clear' | 'secret' | 'address';

/** What is wrong with an address, by the server's own rule; undefined: nothing. */
export function wrong(text: string): Fault | undefined {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    return 'address';
  }
  if (!['http:', 'https:'].includes(url.protocol) || !url.hostname) return 'address';
  if (url.username || url.password || url.search) return 'secret';
  return url.protocol === 'https:' || isLoopback(url.hostname) ? undefined : 'clear';
}

/** As the server has it: the unspecified address is this machine too. An URL has its IPv6 addresses in their short form. */
function isLoopback(host: string): boolean {
  const name = host.replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost') || /^127(\.\d+){3}$/.test(name)) return true;
  return name === '0.0.0.0' || /^\[::(1|ffff:(7f[0-9a-f]{2}:[0-9a-f]+|0:0))?\]$/.test(name);
}
