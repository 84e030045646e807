import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import * as z from 'zod';
import { errorText } from '../../../src/base/errorText';
import { Mutex } from '../../../src/base/mutex';
import { repoRoot } from '../../editor/repoRoot';
import { temporaryFolder } from '../../node/temporaryFolder';
import { visit, visitSchema } from './visit';

/** What the suite found out in one scenario. */
export interface ScenarioOutcome {
  /** A sentence for each check that failed. */
  failed: readonly string[];
  /** Why our client gave up, which some scenarios want; empty when it came to its end. */
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

/** For all of them, one after the other. */
const ALL_MS = 120_000;

/**
 * Has the official conformance suite of the protocol play all its scenarios for clients to ours, and gives what came of each by its
 * name. It starts them at the same time; ours visits them one after the other, since one is about how long it waits.
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
  // What reads it to its end as one text would close its other end too.
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

/** To be late on a busy machine is no failure; to be early is one. */
function hasFailed({ status, name, details }: Check): boolean {
  if (name === 'ClientRespectsRetryField' && details?.tooEarly === false) return false;
  return status === 'FAILURE' || status === 'WARNING';
}

/**
 * The suite wants Node 22, though only for `globSync`, with which it looks for results of others: bundled without that, it runs on
 * every Node that Cairn does.
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

/** Fails where a check did, which is looked at by itself. */
function run(program: string, args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { maxBuffer: 100_000_000 }, (_error, stdout) => resolve(stdout));
  });
}
