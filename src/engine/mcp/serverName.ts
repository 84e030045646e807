/** As much of a server's name as stands in the names of its tools, which have 64 characters in all. */
const MAX_NAME = 24;

/** What a server that a file calls `id` is called in the names of its tools. */
export function serverName(id: string): string {
  const name = id.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, MAX_NAME);
  // Between server and tool stand two of them.
  return name.replaceAll(/_{2,}/g, '_').replaceAll(/^_|_$/g, '') || 'server';
}
