import { resolve } from 'node:path';
import { errorText } from '../../base/errorText';
import { nearest } from '../../base/nearest';
import { safeLine } from '../../base/shown/safeText';
import { type KnownServer, launchText, type McpPlace, type McpServers } from '../../engine';
import { configFolder } from '../../node/configFolder';
import { nodeFetch } from '../../node/fetch/nodeFetch';
import { ownEnvironment } from '../../node/ownEnvironment';
import { EXIT, UsageError } from '../exitStatus';
import { folderTrust } from '../folderTrust';
import type { OutputStreams } from '../output';
import { hasPerson, terminal } from '../terminal';
import { vaultSecrets } from '../vault/vaultSecrets';
import { allowServers } from './allowServers';
import { cliMcpServers } from './cliMcpServers';
import { addServer, removeServer } from './ownServers';
import { type McpArguments, MCP_HELP, parseMcpArguments } from './parseMcpArguments';

interface At {
  mcp: McpServers;
  place: McpPlace;
  streams: OutputStreams;
}

/** `cairn mcp`; gives the exit status. Throws UsageError, EngineError, and AbortError with Ctrl+C. */
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
  const vault = await vaultSecrets({ configFolder: ownFolder, env, asks: args.action === 'check', say });
  const log = { info: () => undefined, warn: say, error: say };
  const mcp = cliMcpServers({ configFolder: ownFolder, env, fetch: nodeFetch(env), vault, log });
  const at: At = { mcp, place: { workspace, isHeard }, streams };
  try {
    if (args.action === 'add') await addServer(ownFolder, args);
    if (args.action === 'remove') {
      await removeServer(ownFolder, args.name);
      streams.err(`cairn: the MCP server ${args.name} is removed.\n`);
      return EXIT.completed;
    }
    if (args.action === 'list') return await list(at);
    if (args.action === 'allow' && args.name === '' && screen) await allowServers(mcp, at.place, screen);
    else if (args.action === 'allow' || args.action === 'deny') await decide(at, args);
    return args.action === 'add' || args.action === 'check' ? await check(at, args.name) : EXIT.completed;
  } finally {
    await mcp.dispose();
  }
}

async function list({ mcp, place, streams }: At): Promise<number> {
  const { servers, problems } = await mcp.list(place);
  for (const server of servers) {
    const tools = server.tools === undefined ? 'tools not known yet' : `${server.tools} tools`;
    const cells = [server.id, consentText(server), tools, `${server.source.path}:${server.source.line}`];
    const shown = [...cells, launchText(server.launch)].map((cell) => safeLine(cell, 500, 'exact'));
    streams.out(`${shown.join('\t')}\n`);
  }
  for (const problem of problems) streams.err(`cairn: ${problem}\n`);
  return EXIT.completed;
}

function consentText({ consent }: KnownServer): string {
  const texts = { allowed: 'allowed', denied: 'denied', unasked: 'not allowed yet', changed: 'changed, not allowed' };
  return texts[consent.kind];
}

async function decide({ mcp, place, streams }: At, { action, name }: McpArguments): Promise<void> {
  const server = await find(mcp, place, name);
  const isAllowed = action === 'allow';
  await mcp.consents.remember(server, isAllowed);
  const launch = safeLine(launchText(server.launch), 2000, 'exact');
  streams.err(`cairn: ${name} is ${isAllowed ? 'allowed' : 'denied'}: ${launch}\n`);
}

/** Starts one server, or each that is allowed, and tells what it has. */
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
      streams.out(`${id}\t${found.tools.length} tools\n`);
      for (const tool of found.tools) streams.out(`  ${safeLine(tool.name, 100, 'exact')}\n`);
      for (const problem of found.problems) streams.err(`cairn: ${id}: ${problem}\n`);
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
  const hint = meant === undefined ? 'cairn mcp list prints those there are.' : `Did you mean ${meant}?`;
  throw new UsageError(`there is no MCP server ${safeLine(name)}. ${hint}`);
}
