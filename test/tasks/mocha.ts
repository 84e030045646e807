import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import { specReporter } from './specReporter';

/**
 * Runs test bundles with mocha in a process of its own:
 * `mocha --report FILE [--timeout MS] [--grep TEXT] FILES`. Exits with 1 when a test failed.
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

const mocha = new Mocha({
  timeout: Number(values.timeout),
  reporter: specReporter(values.report, (line) => console.log(line)),
  forbidOnly: process.env['CI'] !== undefined,
  ...(values.grep !== undefined && { grep: values.grep }),
});
for (const file of positionals) mocha.addFile(pathToFileURL(path.resolve(file)).href);
await mocha.loadFilesAsync();
mocha.run((failures) => {
  // Tests may leave timers or sockets behind; the report is written, so nothing is worth waiting for.
  process.exit(failures > 0 ? 1 : 0);
});
