/** A page that a person may be asked to open. */
export interface PageAddress {
  /** Whole, in plain ASCII. */
  readonly href: string;
  readonly host: string;
  /** What a person should know of the host, a sentence; or empty. */
  readonly warning: string;
}

const MAX_ADDRESS = 2000;

/** The address that a server wants opened, or why nobody is asked to open it. */
export function readPageAddress(text: string): PageAddress | string {
  const url = text.length <= MAX_ADDRESS && URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return 'its address is none, or too long to be read';
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere(url))) {
    return `its address begins with ${url.protocol.slice(0, 20)}, and only https: is opened`;
  }
  if (url.username !== '' || url.password !== '') return 'its address has a name or a password before the host';
  const { href, host } = url;
  if (href.length > MAX_ADDRESS) return 'its address is too long to be read';
  const isForeign = host.split('.').some((label) => label.startsWith('xn--'));
  const warning = isForeign ? 'Careful: the name of the host has letters that may pass for others.' : '';
  return { href, host, warning };
}

function isHere({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
