import { join } from 'node:path';
import { type KnownServer, McpServers } from '../../src/engine/mcp/mcpServers';
import { nodeMcpConnector } from '../../src/node/mcp/nodeMcpConnector';
import { nodePorts } from '../../src/node/nodePorts';
import { repoRoot } from '../editor/repoRoot';
import { temporaryFolder } from '../node/temporaryFolder';
import { memorySignIns } from './memorySignIns';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false, log });

/** The official MCP server that has one of everything. */
export const EVERYTHING = [
  join(repoRoot, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'),
  'stdio',
];
/** The tests' own server with that fault. */
export const faulty = (fault: string) => [join(repoRoot, 'test/fixtures/mcp/faultyServer.mjs'), fault];

/** Runs `use` with the user's servers, keyed by id, each a Node program with these arguments. */
export async function withMcpServers(
  programs: Readonly<Record<string, readonly string[]>>,
  use: (servers: McpServers, all: () => Promise<readonly KnownServer[]>) => Promise<void>,
): Promise<void> {
  const folder = await temporaryFolder();
  const launch = { command: process.execPath, cwd: repoRoot };
  const written = Object.entries(programs).map(([id, args]) => [id, { ...launch, args }] as const);
  await folder.write({ 'config/mcp.json': JSON.stringify({ mcpServers: Object.fromEntries(written) }) });
  const servers = new McpServers({
    configFolder: join(folder.path, 'config'),
    ports: { ...ports, log },
    connector: () => Promise.resolve(nodeMcpConnector({ env: process.env, fetch, signIns: memorySignIns() })),
    values: { secrets: { get: () => Promise.resolve(undefined) }, environment: {}, homeFolder: undefined },
    howToAllow: (ids) => `Allow ${ids.join(', ')}.`,
    howToStart: (id) => `Start ${id}.`,
    howToSignIn: (id) => `Sign in to ${id}.`,
  });
  const place = { workspace: folder.path, isHeard: true };
  try {
    await use(servers, async () => (await servers.list(place)).servers);
  } finally {
    await servers.dispose();
    await folder.remove();
  }
}
