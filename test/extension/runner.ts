import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';
import { specReporter } from '../tasks/specReporter';

/**
 * Called by the editor in its extension host: runs every test bundled with this file in mocha. Writes the report to the file that
 * CAIRN_TEST_REPORT names; rejects if a test fails, which the editor turns into its exit code.
 */
export async function run(): Promise<void> {
  const report = process.env['CAIRN_TEST_REPORT'];
  if (!report) throw new Error('CAIRN_TEST_REPORT is not set: start these tests with npm test.');
  process.setSourceMapsEnabled(true);
  const mocha = new Mocha({
    timeout: 90_000,
    reporter: specReporter(
      (made) => writeFileSync(report, JSON.stringify(made)),
      () => undefined,
    ),
    ...(process.env['CAIRN_TEST_GREP'] && { grep: process.env['CAIRN_TEST_GREP'] }),
  });
  const bundles = path.dirname(__dirname);
  const files = readdirSync(bundles, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.test.js')).sort()) mocha.addFile(path.join(bundles, file));
  await new Promise<void>((resolve, reject) => {
    mocha.run((failures) => {
      if (failures > 0) reject(new Error(`${failures} tests failed.`));
      else resolve();
    });
  });
}
