/** Maximum length of the server's part in its tools' names, which are limited to 64 characters in total. */
const MAX_NAME = 24;

/** Converts a server's `id` in a file to the form used in its tools' names. */
export function serverName(id: string): string {
  const name = id.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, MAX_NAME);
  // Double underscores separate server and tool.
  return name.replaceAll(/_{2,}/g, '_').replaceAll(/^_|_$/g, '') || 'server';
}
