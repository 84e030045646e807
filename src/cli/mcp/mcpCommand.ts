import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { AbortError } from '../../base/abort';
import { errorText } from '../../base/errors';
import { nearest } from '../../base/matching';
import { safeLine } from '../../base/shown/safeText';
import {
  EngineError,
  type KnownServer,
  type McpPlace,
  type McpServers,
  OWN_SERVER_FILE,
  type SignInPage,
  startText,
  toolCount,
} from '../../engine';
import { configFolder, vaultFileIn } from '../../node/configFolder';
import { nodeFetch } from '../../node/fetch/nodeFetch';
import { changeOwnServers } from '../../node/mcp/ownServerFile';
import { programServerFiles } from '../../node/mcp/programServerFiles';
import { ownEnvironment } from '../../node/ownEnvironment';
import { EXIT, UsageError } from '../exitStatus';
import { folderTrust } from '../folderTrust';
import type { OutputStreams } from '../output';
import { hasPerson, type Terminal, terminal } from '../terminal';
import { openVault, RunVault, type VaultForRun, vaultSecrets } from '../vault/runVault';
import { addedServer, TEMPLATES } from './addedServer';
import { allowServers, shownStart } from './allowServers';

const MAX_PROBLEM = 1000;

interface At {
  mcp: McpServers;
  place: McpPlace;
  streams: OutputStreams;
}

interface ServerParts {
  configFolder: string;
  env: NodeJS.ProcessEnv;
  vault: RunVault;
  say: (line: string) => void;
}

/** Runs `cairn mcp` and returns the exit status. Throws UsageError, EngineError, and AbortError on Ctrl+C. */
export async function mcpCommand(
  argv: readonly string[],
  processEnv: NodeJS.ProcessEnv,
  streams: OutputStreams,
): Promise<number> {
  const args = parseMcpArguments(argv);
  if (args.action === 'help') {
    streams.out(MCP_HELP);
    return EXIT.completed;
  }
  const ownFolder = args.configFolder === undefined ? configFolder(processEnv) : resolve(args.configFolder);
  const env = ownEnvironment(processEnv, ownFolder);
  const workspace = resolve(args.folder ?? '.');
  const say = (line: string) => streams.err(`${line}\n`);
  const screen = hasPerson()
    ? terminal({ input: process.stdin, output: process.stderr, onInterrupt: () => process.exit(EXIT.cancelled) })
    : undefined;
  const isHeard = await folderTrust({ folder: workspace, configFolder: ownFolder, isNamed: args.trust, screen, say });
  const vault = await vaultFor(args, { configFolder: ownFolder, env, screen, say });
  const mcp = await serversFor({ configFolder: ownFolder, env, vault, say });
  const at: At = { mcp, place: { workspace, isHeard }, streams };
  try {
    if (args.action === 'add') await addServer(ownFolder, args);
    if (args.action === 'remove') {
      await removeServer(ownFolder, args.name);
      streams.err(`cairn: removed the MCP server ${args.name}.\n`);
      return EXIT.completed;
    }
    if (args.action === 'list') return await list(at);
    if (args.action === 'prompt') {
      const { printPrompt } = await import('./printPrompt');
      return await printPrompt(args.launch, { mcp, streams, find: () => allowed(at, args.name) });
    }
    if (args.action === 'logout') return await logout(at, args.name);
    if (args.action === 'login') {
      const server = await allowed(at, args.name);
      await mcp.signIn(server, terminalSignIn(screen, say), new AbortController().signal);
      streams.err(`cairn: you are signed in to ${safeLine(server.id, 100, 'exact')}.\n`);
      return await check(at, args.name);
    }
    if (args.action === 'allow' && args.name === '' && screen) await allowServers(mcp, at.place, screen);
    else if (args.action === 'allow' || args.action === 'deny') await decide(at, args);
    return args.action === 'add' || args.action === 'check' ? await check(at, args.name) : EXIT.completed;
  } finally {
    await mcp.dispose();
  }
}

/** Loads late what a run with servers also loads, so that both find it in the same file. */
async function serversFor({ configFolder: ownFolder, env, vault, say }: ServerParts): Promise<McpServers> {
  const { cliMcpServers } = await import('./cliMcpServers');
  return cliMcpServers({
    configFolder: ownFolder,
    env,
    fetch: nodeFetch(env),
    programFiles: programServerFiles(env, homedir()),
    vault,
    hide: () => undefined,
    log: { info: () => undefined, warn: say, error: say },
  });
}

/** Signing in creates the vault if there is none, because what is stored has to be encrypted. */
async function vaultFor({ action }: McpArguments, run: VaultForRun): Promise<RunVault> {
  if (action === 'logout' || action === 'login') {
    const { keyOf } = await import('../vault/vaultCommand');
    const file = vaultFileIn(run.configFolder);
    return RunVault.opened(await openVault(file, await keyOf(file, run.env)));
  }
  const starts = action === 'check' || action === 'prompt' || action === 'add';
  return vaultSecrets({ ...run, screen: starts ? run.screen : undefined });
}

async function logout({ mcp, place, streams }: At, name: string): Promise<number> {
  const wasIn = await mcp.signOut(await find(mcp, place, name));
  const shown = safeLine(name, 100, 'exact');
  streams.err(`cairn: ${wasIn ? `signed out of ${shown}` : `you were not signed in to ${shown}`}.\n`);
  return EXIT.completed;
}

/** Finds a server by name. Throws UsageError if the user has not allowed it. */
async function allowed({ mcp, place }: At, name: string): Promise<KnownServer> {
  const server = await find(mcp, place, name);
  if (server.consent.kind === 'allowed') return server;
  throw new UsageError(`${safeLine(name)} is ${consentText(server)}. cairn mcp allow ${safeLine(name)} allows it.`);
}

async function list({ mcp, place, streams }: At): Promise<number> {
  const { servers, problems } = await mcp.list(place);
  for (const server of servers) {
    const tools = server.tools === undefined ? 'tools unknown until it starts' : toolCount(server.tools);
    const cells = [server.id, consentText(server), tools, `${server.source.path}:${server.source.line}`];
    const shown = [...cells, startText(server)].map((cell) => safeLine(cell, 500, 'exact'));
    streams.out(`${shown.join('\t')}\n`);
  }
  for (const problem of problems) streams.err(`cairn: ${problem}\n`);
  if (servers.length + problems.length === 0) {
    streams.err('cairn: there are no MCP servers yet. Add one with cairn mcp add.\n');
  }
  return EXIT.completed;
}

function consentText({ consent }: KnownServer): string {
  const texts = { allowed: 'allowed', denied: 'denied', unasked: 'not allowed yet', changed: 'changed, not allowed' };
  return texts[consent.kind];
}

async function decide({ mcp, place, streams }: At, { action, name }: McpArguments): Promise<void> {
  const server = await find(mcp, place, name);
  const isAllowed = action === 'allow';
  const shown = shownStart(server);
  if (isAllowed && shown === undefined) {
    const what = `what the MCP server ${safeLine(name)} starts is too long to review, so it cannot be allowed.`;
    throw new UsageError(`${what} It stands at ${safeLine(server.source.path)}:${server.source.line}.`);
  }
  await mcp.consents.remember(server, isAllowed);
  streams.err(`cairn: ${name} is ${isAllowed ? 'allowed' : 'denied'}${shown === undefined ? '' : `: ${shown}`}\n`);
}

/** Starts one server, or all allowed servers, and prints their tools. */
async function check({ mcp, place, streams }: At, name: string): Promise<number> {
  const { servers, problems } = await mcp.list(place);
  for (const problem of problems) streams.err(`cairn: ${problem}\n`);
  const wanted = name === '' ? servers : [await find(mcp, place, name)];
  let status: number = problems.length > 0 ? EXIT.failed : EXIT.completed;
  for (const server of wanted) {
    const id = safeLine(server.id, 100, 'exact');
    if (server.consent.kind !== 'allowed') {
      streams.err(`cairn: ${id} is ${consentText(server)}. cairn mcp allow ${id} allows what it starts.\n`);
      if (name !== '') status = EXIT.failed;
      continue;
    }
    try {
      const found = await mcp.check(server, new AbortController().signal);
      streams.out(`${id}\t${toolCount(found.tools.length)}\n`);
      const strike = await mcp.strikeOf(server);
      for (const { name: whole, tool } of found.tools) {
        // In the full name the characters of a secret are changed, so it would not be recognized there.
        const own = strike(tool.name);
        streams.out(`  ${safeLine(own === tool.name ? whole : own, 100, 'exact')}\n`);
      }
      for (const problem of found.problems) streams.err(`cairn: ${id}: ${safeLine(strike(problem), MAX_PROBLEM)}\n`);
    } catch (error) {
      streams.err(`cairn: ${errorText(error)}\n`);
      status = EXIT.failed;
    }
  }
  return status;
}

async function find(mcp: McpServers, place: McpPlace, name: string): Promise<KnownServer> {
  const { servers } = await mcp.list(place);
  const server = servers.find(({ id }) => id === name);
  if (server) return server;
  const ids = servers.map(({ id }) => id);
  const meant = nearest(name, ids);
  const hint = meant === undefined ? 'Run cairn mcp list to see them.' : `Did you mean ${meant}?`;
  throw new UsageError(`there is no MCP server ${safeLine(name)}. ${hint}`);
}

/** Adds a server to the user's file. Throws EngineError `exists`, or `invalid-input` for a file that cannot be changed. */
async function addServer(configFolder: string, args: McpArguments): Promise<void> {
  const server = addedServer(args);
  await changeOwnServers(configFolder, (servers) => {
    if (Object.hasOwn(servers, args.name)) {
      const remedy = `cairn mcp remove ${args.name} removes it.`;
      throw new EngineError('exists', `an MCP server named ${args.name} already exists. ${remedy}`);
    }
    return { ...servers, [args.name]: server };
  });
}

/** Removes a server. Throws EngineError `not-found`, or `invalid-input` for a file that cannot be changed. */
async function removeServer(configFolder: string, name: string): Promise<void> {
  await changeOwnServers(configFolder, (servers) => {
    if (!Object.hasOwn(servers, name)) {
      throw new EngineError('not-found', `there is no MCP server ${name} in ${join(configFolder, OWN_SERVER_FILE)}.`);
    }
    return Object.fromEntries(Object.entries(servers).filter(([id]) => id !== name));
  });
}

/**
 * Prints the address for the user to open. If their browser cannot return to this machine, they may paste the address it ended
 * at. `say` is used when there is no terminal.
 */
function terminalSignIn(screen: Terminal | undefined, say: (line: string) => void): SignInPage {
  return {
    async show(address, signal) {
      const tell = (line: string) => (screen ? screen.say(line) : say(line));
      tell('Open this address in your browser, and sign in:');
      tell('');
      tell(`  ${safeLine(address.href, address.href.length, 'exact')}`);
      tell('');
      if (!screen) return new Promise(() => undefined);
      const prompt = 'Waiting for the sign-in. If your browser is on another machine, paste the address it ends at: ';
      const typed = await screen.ask(prompt, signal);
      if (typed === undefined) throw new AbortError();
      return typed;
    },
  };
}

export const MCP_HELP = `Usage:
  cairn mcp list                        List your MCP servers and those of the folder
  cairn mcp add NAME COMMAND [ARG …]    Add a server that is started as a process, and try it
  cairn mcp add NAME URL                Add a server at an address, and try it
  cairn mcp add NAME npm:PACKAGE        Add a server from a package; also pypi:PACKAGE or docker:IMAGE, with arguments
  cairn mcp add TEMPLATE                Add ${TEMPLATES}
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
the files of Claude Code, Claude Desktop, and OpenCode. Agents see a server's tools,
or find them with mcp_search. A server starts with its first call.
`;

const ACTIONS = ['list', 'add', 'remove', 'check', 'prompt', 'login', 'logout', 'allow', 'deny'] as const;

interface McpArguments {
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
function parseMcpArguments(argv: readonly string[]): McpArguments {
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
