import { t } from '../../src/base/l10n';
/** The target of a link in a message. */
type LinkTarget = { kind: 'url'; url: string } | { kind: 'file'; path: string; line?: number };

/** Parses a link. Returns undefined for links that must not be followed: `javascript:`, `command:`, `file:` and the like. */
export function parseLinkTarget(href: string): LinkTarget | undefined {
  const url = href.trim();
  if (/^(?:https?:\/\/|mailto:)/i.test(url)) return { kind: 'url', url };
  const withLine = /^[\w.-]+:\d+(?::\d+)?$/.test(url);
  if (url === '' || url.startsWith('#') || url.startsWith('//')) return undefined;
  // Browsers ignore control characters and white space inside a scheme, so these could hide one.
  if (!withLine && /^[^/\\]*:/.test(url.replace(/[^\x21-\x7e]/g, ''))) return undefined;
  const path = decode(url);
  // Windows would look for the file on this server, and sign in to it with the user's name.
  return /^[/\\]{2}/.test(path) ? undefined : fileTarget(path);
}

function fileTarget(path: string): LinkTarget {
  const match = /^(.*?)(?:#L|:)(\d+)(?:[-:,]L?\d+)?$/.exec(path);
  const [, file, line] = match ?? [];
  if (!file || !line) return { kind: 'file', path };
  return { kind: 'file', path: file, line: Number(line) };
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // A lone percent sign: the path is meant literally.
  }
}

/** Link text that reads like an address: it has a scheme, a path, or a known top-level domain. */
const ADDRESS =
  /^(?:https?:\/\/|www\.|[\w-]+(?:\.[\w-]+)+\/)|^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|ai|app|gov|edu|eu)$/i;

/**
 * Returns a note to show after a link: its host, if the text is a different address, or if lookalike letters or a name before the
 * host could be mistaken for one. Empty if the text is not misleading.
 */
export function whereItLeads(words: string, target: LinkTarget): string {
  const read = words.trim();
  const isAddress = ADDRESS.test(read);
  if (target.kind === 'file') return isAddress && /^https?:/i.test(read) ? t('⟨opens {0}⟩', target.path) : '';
  const url = urlOf(target.url);
  if (!url) return isAddress ? t('⟨leads to {0}⟩', target.url) : '';
  const isPlain = url.username === '' && url.password === '' && !/(?:^|\.)xn--/.test(url.host);
  const said = isAddress ? urlOf(/^https?:/i.test(read) ? read : `https://${read}`) : undefined;
  if (isPlain && (!isAddress || (said && bare(said) === bare(url)))) return '';
  return t('⟨leads to {0}⟩', url.host || target.url);
}

/** Returns the address as a browser resolves it, with non-ASCII hosts in Punycode. */
export function plainAddress(target: LinkTarget): string {
  if (target.kind === 'file') return target.line === undefined ? target.path : `${target.path}:${target.line}`;
  const url = urlOf(target.url);
  return url && /(?:^|\.)xn--/.test(url.host) ? url.href : target.url;
}

function urlOf(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}

function bare({ host }: URL): string {
  return host.replace(/^www\./, '');
}
