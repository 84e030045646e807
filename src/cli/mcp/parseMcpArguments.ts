import { UsageError } from '../exitStatus';

export const MCP_HELP = `Usage:
  cairn mcp list                        List your MCP servers and those of the folder
  cairn mcp add NAME COMMAND [ARG …]    Add a server that is started as a process, and try it
  cairn mcp add NAME URL                Add a server at an address, and try it
  cairn mcp remove NAME                 Remove one of your servers
  cairn mcp check [NAME]                Start one server, or all that are allowed, and list their tools
  cairn mcp prompt NAME [PROMPT [ARG=VALUE …]]
                                        Print a prompt of a server, or list its prompts
  cairn mcp login NAME                  Sign in to a server in your browser; the sign-in is stored in the vault
  cairn mcp logout NAME                 Sign out of a server
  cairn mcp allow NAME                  Allow exactly what a server of the folder starts
  cairn mcp deny NAME                   Never start it
  cairn mcp serve [OPTIONS]             Serve Cairn's agents and tools to another program over standard input and output;
                                        takes -C, -m, -a, --approve, and the other run options of cairn --help

Options (before NAME):
  --env NAME=VALUE     Environment variable of the server; {{SECRET}} is replaced from the vault
  --header 'NAME: VALUE'
  --sse                The address uses the older SSE transport
  -C, --cwd DIR        Folder (default: the current one)
  --trust              Trust the folder's own files for this run
  --config-dir DIR     Cairn's configuration folder, which holds your servers in mcp.json

A folder's servers are read from .cairn/mcp.json, .mcp.json, .vscode/mcp.json, or opencode.json, and others of yours from
the files of Claude Code and Claude Desktop. Agents see a server's tools,
or find them with mcp_search. A server starts with its first call.
`;

const ACTIONS = ['list', 'add', 'remove', 'check', 'prompt', 'login', 'logout', 'allow', 'deny'] as const;

export interface McpArguments {
  action: (typeof ACTIONS)[number] | 'help';
  /** Server id; empty for all. */
  name: string;
  /** Command and arguments, or just an address. For `prompt`, the prompt's name and arguments. */
  launch: readonly string[];
  env: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
  sse: boolean;
  trust: boolean;
  folder: string | undefined;
  configFolder: string | undefined;
}

const VALUED = ['--env', '--header', '--cwd', '-C', '--config-dir'];

/** Parses the arguments. Everything after NAME belongs to the server, including options. Throws UsageError. */
export function parseMcpArguments(argv: readonly string[]): McpArguments {
  const rest = [...argv];
  const words: string[] = [];
  const said = new Map<string, string[]>();
  const flags = new Set<string>();
  while (rest.length > 0 && words.length < 2) {
    const word = rest.shift() ?? '';
    const [option = word, inline] = /^(--[\w-]+)=([\s\S]*)$/.exec(word)?.slice(1) ?? [];
    if (VALUED.includes(option)) {
      const value = inline ?? rest.shift();
      if (value === undefined) throw new UsageError(`${option} takes a value. See cairn mcp --help.`);
      if (value === '') throw new UsageError(`${option} has an empty value. Give it one, or leave it out.`);
      said.set(option, [...(said.get(option) ?? []), value]);
    } else if (['--help', '-h', '--sse', '--trust'].includes(word)) flags.add(word);
    else if (word.startsWith('-') && word !== '--')
      throw new UsageError(`unknown option ${word}. See cairn mcp --help.`);
    else if (word !== '--') words.push(word);
  }
  const [named, name = ''] = words;
  const action = ACTIONS.find((one) => one === named);
  const launch = rest[0] === '--' ? rest.slice(1) : rest;
  const common = {
    launch,
    env: pairs(said.get('--env') ?? [], '=', '--env NAME=VALUE'),
    headers: pairs(said.get('--header') ?? [], ':', "--header 'NAME: VALUE'"),
    sse: flags.has('--sse'),
    trust: flags.has('--trust'),
    folder: (said.get('-C') ?? said.get('--cwd'))?.at(-1),
    configFolder: said.get('--config-dir')?.at(-1),
  };
  if (flags.has('--help') || flags.has('-h') || named === undefined) return { ...common, action: 'help', name };
  if (!action) {
    const hint = `Put a prompt that begins with "mcp" in quotes.`;
    throw new UsageError(`cairn mcp takes ${ACTIONS.join(', ')}, not "${named}". ${hint}`);
  }
  const idle = ['--env', '--header', '--sse'].find((one) => said.has(one) || flags.has(one));
  if (idle !== undefined && action !== 'add') throw new UsageError(`${idle} is for cairn mcp add.`);
  if (action === 'list' && name !== '') throw new UsageError('cairn mcp list takes no name.');
  const needsName = action !== 'list' && action !== 'check';
  if (needsName && name === '') throw new UsageError(`cairn mcp ${action} takes the name of a server.`);
  if (action === 'add' && launch.length === 0) {
    throw new UsageError(`cairn mcp add ${name} takes a command or an address after the name.`);
  }
  if (action !== 'add' && action !== 'prompt' && launch.length > 0)
    throw new UsageError(`cairn mcp ${action} takes one name and nothing else.`);
  return { ...common, action, name };
}

function pairs(texts: readonly string[], sign: string, form: string): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(sign);
      if (at < 1) throw new UsageError(`“${text}” is no ${form}.`);
      return [text.slice(0, at).trim(), sign === ':' ? text.slice(at + 1).trim() : text.slice(at + 1)];
    }),
  );
}
