/** A server as written to a file. */
export type WrittenServer = Readonly<Record<string, unknown>>;

export type PackageKind = 'npm' | 'pypi' | 'docker';

/** Widely used servers: each a name, and a command line or address to adapt. */
export const SERVER_TEMPLATES: readonly (readonly [string, string])[] = [
  ['Filesystem', 'npx -y @modelcontextprotocol/server-filesystem "${workspaceFolder}"'],
  ['Memory', 'npx -y @modelcontextprotocol/server-memory'],
  ['Fetch', 'uvx mcp-server-fetch'],
  ['Git', 'uvx mcp-server-git --repository "${workspaceFolder}"'],
  ['Playwright', 'npx -y @playwright/mcp@latest'],
  ['Context7', 'https://mcp.context7.com/mcp'],
  ['GitHub', 'https://api.githubcopilot.com/mcp/'],
];

/** Names must not begin with a dash, which would make them an option of the program that runs the package. */
const PACKAGES: Readonly<Record<PackageKind, { name: RegExp; run: readonly string[] }>> = {
  npm: { name: /^(?:@[\w~-][\w.~-]*\/)?[a-z\d~][\w.~-]*(?:@[\w.^~-]+)?$/i, run: ['npx', '-y'] },
  pypi: { name: /^[a-z\d](?:[\w.-]*[a-z\d])?(?:\[[\w,.-]+\])?(?:(?:==|@)[\w.+!-]+)?$/i, run: ['uvx'] },
  docker: { name: /^[a-z\d][\w.:/-]*(?:@sha256:[a-f\d]{64})?$/i, run: ['docker', 'run', '-i', '--rm'] },
};

/** Returns a server that runs a package, fetched from its registry. Undefined if `text` is not a package name. */
export function packageServer(kind: PackageKind, text: string): WrittenServer | undefined {
  const { name, run } = PACKAGES[kind];
  return name.test(text) ? commandServer([...run, text], {}) : undefined;
}

/** Returns a server that runs a command with these environment variables. */
export function commandServer(
  [command = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): WrittenServer {
  return {
    type: 'stdio',
    command,
    ...(args.length > 0 && { args }),
    ...(Object.keys(env).length > 0 && { env }),
  };
}

/** Returns a server at an address. Undefined if `text` is not a web address. */
export function addressServer(
  text: string,
  { sse = false, headers = {} }: { sse?: boolean; headers?: Readonly<Record<string, string>> } = {},
): WrittenServer | undefined {
  if (!isAddress(text) || !URL.canParse(text)) return undefined;
  return { type: sse ? 'sse' : 'http', url: text, ...(Object.keys(headers).length > 0 && { headers }) };
}

export function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/**
 * Parses a command line as typed into a shell. Understands only words and quotes; leading variables become the server's
 * environment. Undefined if there is no command or a quote is not closed.
 */
export function lineServer(line: string): WrittenServer | undefined {
  const words = wordsOf(line);
  const first = words?.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word)) ?? -1;
  if (!words || first < 0) return undefined;
  const pairs = words.slice(0, first).map((word): [string, string] => {
    const at = word.indexOf('=');
    return [word.slice(0, at), word.slice(at + 1)];
  });
  return commandServer(words.slice(first), Object.fromEntries(pairs));
}

const WORD = /(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'])+/g;

function wordsOf(line: string): string[] | undefined {
  if (line.replaceAll(WORD, '').trim() !== '') return undefined;
  // Outside quotes a backslash is part of a path, as on Windows.
  return [...line.matchAll(WORD)].map(([whole]) =>
    whole.replaceAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g, (_, double: string | undefined, single: string | undefined) =>
      double === undefined ? (single ?? '') : double.replaceAll(/\\(["\\])/g, '$1'),
    ),
  );
}

/** Returns a short name for a server, derived from its package, program, or host, that is not in `taken`. */
export function nameForServer(server: WrittenServer, taken: readonly string[]): string {
  const { url, args, command } = server;
  const given: readonly unknown[] = Array.isArray(args) ? args : [];
  const words = [command, ...given].filter((word) => typeof word === 'string');
  const name = (typeof url === 'string' ? hostName(url) : programName(words)) || 'server';
  let free = name;
  for (let count = 2; taken.includes(free); count++) free = `${name}-${count}`;
  return free;
}

function hostName(url: string): string {
  const labels = new URL(url).hostname.split('.');
  if (labels.length < 2 || labels.every((label) => /^\d+$/.test(label))) return plain(labels.join('-'));
  return plain(labels.at(-2) ?? '');
}

/** Programs that run what the next word names. */
const RUNNERS = /^(?:npx|bunx|uvx|pipx|node|bun|deno|python3?|uv|docker|podman|run|tool)$/;

function programName(words: readonly string[]): string {
  const named = words.find((word) => !word.startsWith('-') && !RUNNERS.test(programOf(word)));
  return plain(programOf(named ?? words[0] ?? ''));
}

function programOf(word: string): string {
  const [last = ''] = word.split(/[\\/]/).slice(-1);
  return last.replace(/(?<=.)(?:@|==|\[|:)[^]*$/, '').replace(/\.(?:exe|cmd|[cm]?js|ts|py)$/i, '');
}

function plain(text: string): string {
  const name = text.replaceAll(/[^\w-]+/g, '-').replaceAll(/^-+|(?<!-)-+$/g, '');
  return name.replace(/^(?:mcp[-_])?(?:server[-_])?(?=.)/, '').replace(/(?<=.)(?:[-_]mcp)?(?:[-_]server)?$/, '');
}
