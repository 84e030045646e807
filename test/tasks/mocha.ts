import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { atEnd } from '../support/atEnd';
import { runTestFiles } from './runTestFiles';

/**
 * Runs test bundles with mocha in a separate process: `mocha --report FILE [--timeout MS] [--grep TEXT] FILES`. Exits with 1 if a
 * test failed.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    report: { type: 'string' },
    timeout: { type: 'string', default: '10000' },
    grep: { type: 'string' },
  },
});
if (values.report === undefined) throw new Error('mocha: --report FILE is missing.');
mkdirSync(path.dirname(values.report), { recursive: true });

const report = await runTestFiles(positionals, {
  timeoutMs: Number(values.timeout),
  grep: values.grep,
  print: (line) => console.log(line),
});
writeFileSync(values.report, JSON.stringify(report));
await atEnd.run();
// Tests may leave timers or sockets behind. The report is written, so there is nothing to wait for.
process.exit(report.failed > 0 ? 1 : 0);
