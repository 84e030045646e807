import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { findChromium } from '../editor/findChromium';
import { provisionServer } from '../editor/provisionServer';
import type { SuiteResult } from './suiteResult';
import { checks, checkSuite } from './suites/checkSuite';
import { extensionSuite } from './suites/extensionSuite';
import { mochaSuite } from './suites/mochaSuite';

/**
 * `npm test [-- --without-editor] [-- --only NAMES] [-- --grep TEXT]`: every suite in turn. The last line is
 * `N passed, N failed`, and the exit code is 1 when anything failed, or when a suite ran no test at all.
 */
const UNIT_FOLDERS = [
  'architecture',
  'base',
  'engine',
  'node',
  'protocol',
  'host',
  'cli',
  'library',
  'webview',
  'support',
];

const { values: options } = parseArgs({
  options: {
    'without-editor': { type: 'boolean', default: false },
    only: { type: 'string' },
    grep: { type: 'string' },
  },
});
const grep = options.grep;
/** One editor alone leaves a machine waiting half of the time; more than two get in each other's way on a small one. */
const processes = availableParallelism() > 1 ? 2 : 1;

/** In the order they run: what fails fast comes first. */
const suites: Readonly<Record<string, () => Promise<SuiteResult>>> = {
  types: () => checkSuite(checks.types),
  eslint: () => checkSuite(checks.eslint),
  prettier: () => checkSuite(checks.prettier),
  build: () => checkSuite(checks.build),
  unit: () =>
    mochaSuite({
      name: 'unit',
      id: 'unit',
      folders: UNIT_FOLDERS,
      // Also long enough for a machine that is several times slower.
      testTimeoutMs: 40_000,
      timeoutMs: 20 * 60_000,
      grep,
      processes,
    }),
  extension: () => extensionSuite({ grep }),
  stories: async () => {
    // Before the first story, whose time would not be enough for an installation.
    await provisionServer(console.log);
    await findChromium(console.log);
    const limits = { testTimeoutMs: 240_000, timeoutMs: 60 * 60_000 };
    return mochaSuite({ name: 'stories', id: 'stories', folders: ['stories'], ...limits, grep, processes });
  },
};
const NEEDS_EDITOR = ['extension', 'stories'];
/** Each of them keeps one core busy, and none writes what another reads. */
const SIDE_BY_SIDE = ['types', 'eslint', 'prettier'];

function selectSuites(): string[] {
  const names = Object.keys(suites);
  const only = options.only?.split(',').map((name) => name.trim());
  const unknown = only?.filter((name) => !names.includes(name)) ?? [];
  if (unknown.length > 0) {
    console.error(`There is no suite ${unknown.join(', ')}. The suites are ${names.join(', ')}.`);
    process.exit(2);
  }
  return names.filter((name) =>
    only ? only.includes(name) : !(options['without-editor'] && NEEDS_EDITOR.includes(name)),
  );
}

async function runSuite(name: string): Promise<SuiteResult> {
  const started = Date.now();
  if (!SIDE_BY_SIDE.includes(name)) console.log(`\n▸ ${name}`);
  let result: SuiteResult;
  try {
    result = (await suites[name]?.()) ?? { name, passed: 0, failed: 1 };
  } catch (error) {
    console.log(`  ✗ the suite could not run: ${error instanceof Error ? error.message : String(error)}`);
    result = { name, passed: 0, failed: 1 };
  }
  if (result.passed + result.failed === 0 && grep === undefined) {
    console.log('  ✗ the suite ran no test');
    result = { ...result, failed: 1 };
  }
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`  ${result.name}: ${result.passed} passed, ${result.failed} failed (${seconds} s)`);
  return result;
}

const results: SuiteResult[] = [];
const selected = selectSuites();
const atOnce = selected.filter((name) => SIDE_BY_SIDE.includes(name));
if (atOnce.length > 0) console.log(`\n▸ ${atOnce.join(', ')}`);
results.push(...(await Promise.all(atOnce.map(runSuite))));
for (const name of selected.filter((each) => !atOnce.includes(each))) results.push(await runSuite(name));
const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failed = results.reduce((sum, result) => sum + result.failed, 0);
const failing = results.filter((result) => result.failed > 0).map((result) => result.name);
console.log(failing.length > 0 ? `\nFailed: ${failing.join(', ')}` : '');
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
