import { build, type Plugin } from 'esbuild';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import * as z from 'zod';
import { Mutex } from '../../../src/base/async';
import { errorText } from '../../../src/base/errors';
import { repoRoot } from '../../editor/repoRoot';
import { temporaryFolder } from '../../node/temporaryFolder';
import { visit, visitSchema } from './visit';

/** The suite's findings in one scenario. */
export interface ScenarioOutcome {
  /** One message per failed check. */
  failed: readonly string[];
  /** Why Cairn's client gave up, which some scenarios expect; empty if it completed. */
  gaveUp: string;
}

const checksSchema = z.array(
  z.object({
    status: z.string(),
    name: z.string(),
    description: z.string(),
    errorMessage: z.optional(z.string()),
    details: z.optional(z.looseObject({ tooEarly: z.optional(z.boolean()) })),
  }),
);
type Check = z.infer<typeof checksSchema>[number];

/** For all scenarios, run one after the other. */
const ALL_MS = 120_000;

/**
 * Has the official MCP conformance suite play all its client scenarios against Cairn's client, and returns their outcomes by
 * name. The suite starts them concurrently, but the client visits them one after the other, because one of them measures how long
 * a client waits.
 */
export async function playAllScenarios(): Promise<ReadonlyMap<string, ScenarioOutcome>> {
  const folder = await temporaryFolder();
  const socket =
    process.platform === 'win32' ? `\\\\.\\pipe\\cairn-conformance-${process.pid}` : path.join(folder.path, 'visits');
  const turns = new Mutex();
  const server = createServer({ allowHalfOpen: true }, (connection) => void serve(connection, turns));
  server.listen(socket);
  await once(server, 'listening');
  try {
    const relay = path.join(repoRoot, 'test/support/conformance/relay.mjs');
    const command = `"${process.execPath}" "${relay}" "${socket}"`;
    const results = path.join(folder.path, 'results');
    const args = ['client', '--command', command, '--suite', 'all', '--timeout', String(ALL_MS)];
    const printed = await run(await suiteProgram(), [...args, '--output-dir', results]);
    return await outcomesIn(results, namesIn(printed));
  } finally {
    server.close();
    await folder.remove();
  }
}

async function serve(connection: Socket, turns: Mutex): Promise<void> {
  let text = '';
  connection.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  // Consuming the connection as one text would also close its other end.
  await once(connection, 'end');
  const asked = visitSchema.parse(JSON.parse(text));
  const failure = await turns.take(() => visit(asked), new AbortController().signal).then(() => '', errorText);
  connection.end(failure);
}

/** “✓ auth/metadata-default: 13 passed, 0 failed” */
function namesIn(printed: string): string[] {
  return [...printed.matchAll(/^[✓✗] (\S+): \d+ passed/gm)].map(([, name = '']) => name);
}

async function outcomesIn(results: string, names: readonly string[]): Promise<Map<string, ScenarioOutcome>> {
  const files = await readdir(results, { recursive: true });
  const outcomes = new Map<string, ScenarioOutcome>();
  for (const name of names) {
    const checks = files.find((file) => file.startsWith(path.join(`${name}-2`)) && file.endsWith('checks.json'));
    const place = path.dirname(path.join(results, checks ?? 'none'));
    const all = checksSchema.parse(JSON.parse(await readFile(path.join(place, 'checks.json'), 'utf8')));
    outcomes.set(name, {
      failed: all
        .filter(hasFailed)
        .map(({ name: what, errorMessage, description }) => `${what}: ${errorMessage ?? description}`),
      gaveUp: await readFile(path.join(place, 'stderr.txt'), 'utf8'),
    });
  }
  return outcomes;
}

/** Being late on a busy machine is not a failure; being early is. */
function hasFailed({ status, name, details }: Check): boolean {
  if (name === 'ClientRespectsRetryField' && details?.tooEarly === false) return false;
  return status === 'FAILURE' || status === 'WARNING';
}

/**
 * The suite requires Node 22, but only for `globSync`, which it uses to find results of others. Bundled without that, it runs on
 * every Node that Cairn supports.
 */
async function suiteProgram(): Promise<string> {
  const outfile = path.join(repoRoot, '.build', 'conformance', `suite-${process.pid}.mjs`);
  await build({
    entryPoints: [path.join(repoRoot, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    plugins: [withoutGlob],
  });
  return outfile;
}

const withoutGlob: Plugin = {
  name: 'without-glob',
  setup(builder) {
    builder.onResolve({ filter: /^fs$/ }, ({ importer }) =>
      /conformance.dist.index\.js$/.test(importer) ? { path: 'fs', namespace: 'without-glob' } : undefined,
    );
    builder.onLoad({ filter: /.*/, namespace: 'without-glob' }, () => ({
      contents: "export * from 'node:fs'; export const globSync = () => [];",
    }));
  },
};

/** The exit code is ignored, because it reports failed checks, which are evaluated separately. */
function run(program: string, args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { maxBuffer: 100_000_000 }, (_error, stdout) => resolve(stdout));
  });
}
