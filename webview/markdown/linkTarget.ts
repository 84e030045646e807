/** Where a link in a message leads. */
export type LinkTarget = { kind: 'url'; url: string } | { kind: 'file'; path: string; line?: number };

/** Undefined for what must not be followed: `javascript:`, `command:`, `file:` and the like. */
export function parseLinkTarget(href: string): LinkTarget | undefined {
  const url = href.trim();
  if (/^(?:https?:\/\/|mailto:)/i.test(url)) return { kind: 'url', url };
  const withLine = /^[\w.-]+:\d+(?::\d+)?$/.test(url);
  if (url === '' || url.startsWith('#') || url.startsWith('//')) return undefined;
  // Control characters and white space are ignored by browsers inside a scheme, so they may hide one.
  if (!withLine && /^[^/\\]*:/.test(url.replace(/[^\x21-\x7e]/g, ''))) return undefined;
  return fileTarget(decode(url));
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
