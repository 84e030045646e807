import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repoRoot } from '../editor/repoRoot';
import { runCommand } from '../editor/runCommand';
import { atEnd } from '../support/atEnd';
import { LARGE_SERVERS } from '../support/realServers';
import { bundleTests } from './bundleTests';
import { runTestFiles } from './runTestFiles';

/** `npm run real-servers`: installs published MCP servers that are too large for a dependency, and runs the test of such servers on all. */
const MINUTE_MS = 60_000;
const TEST = 'test/node/mcp/realServers.test.ts';
const root = path.join(repoRoot, '.build', 'servers');

mkdirSync(root, { recursive: true });
writeFileSync(path.join(root, 'package.json'), '{ "private": true }');
const packages = LARGE_SERVERS.map(({ name, version }) => `${name}@${version}`);
// Of what a package brings along, only the server runs.
const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
const { code } = await runCommand('npm', ['install', ...options, ...packages], {
  cwd: root,
  timeoutMs: 10 * MINUTE_MS,
  echo: true,
});
if (code !== 0) process.exit(code);
process.env['CAIRN_REAL_SERVERS'] = root;
const bundles = await bundleTests('real-servers', [TEST], 'esm');
const print = (line: string) => console.log(line);
const { passed, failed, skipped } = await runTestFiles(bundles, { timeoutMs: 2 * MINUTE_MS, print });
await atEnd.run();
console.log(`Node ${process.versions.node}: ${passed} passed, ${failed} failed, ${skipped.length} skipped`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
