import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repoRoot } from '../editor/repoRoot';
import { atEnd } from '../support/atEnd';
import { bundleTests } from './bundleTests';
import { findTests } from './findTests';
import { runTestFiles } from './runTestFiles';

/** `npm run fuzz`: runs the tests with random cases, trying all cases (`test/support/fuzzSize.ts`). */
const TIMEOUT_MS = 30 * 60_000;

const isFuzzed = (file: string): boolean => readFileSync(path.join(repoRoot, file), 'utf8').includes('fuzzSize(');
const files = findTests('base', 'engine', 'node', 'protocol', 'chat', 'host', 'webview').filter(isFuzzed);
process.env['CAIRN_FUZZ'] = 'full';
const bundles = await bundleTests('fuzz', files, 'esm');
const { passed, failed, skipped } = await runTestFiles(bundles, {
  timeoutMs: TIMEOUT_MS,
  print: (line) => console.log(line),
});
await atEnd.run();
console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
