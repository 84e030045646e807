import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { provisionChromium } from '../editor/provisionChromium';
import { provisionServer } from '../editor/provisionServer';
import { provisionSqlite } from '../editor/provisionSqlite';
import { judgeSuite } from './judgeSuite';
import { Slots } from './slots';
import type { FileResult, SuiteResult } from './suiteResult';
import { checks, checkSuite } from './suites/checkSuite';
import { extensionSuite } from './suites/extensionSuite';
import { mochaSuite } from './suites/mochaSuite';
import { testDurations } from './suites/testDurations';
import { totalOf } from './totalOf';
import { unitFolders } from './unitFolders';

/**
 * `npm test [-- --without-editor] [-- --only NAMES] [-- --grep TEXT] [-- --keep-durations]`: runs every suite, two things at a
 * time. The last line is `N passed, N failed, N skipped`, and the exit code is 1 if anything failed or if a suite ran no test at
 * all. On Linux, where everything can be tested, a skipped test also counts as failed.
 */
const { values: options } = parseArgs({
  options: {
    'without-editor': { type: 'boolean', default: false },
    only: { type: 'string' },
    grep: { type: 'string' },
    'keep-durations': { type: 'boolean', default: false },
  },
});
const grep = options.grep;
/** With a single editor, a machine idles half of the time; more than two get in each other's way on a small one. */
const processes = availableParallelism() > 1 ? 2 : 1;
const slots = new Slots(processes);

/** Long enough for a machine that is several times slower. */
const QUICK = { testTimeoutMs: 40_000, fileTimeoutMs: 10 * 60_000 };
const SLOW = { testTimeoutMs: 240_000, fileTimeoutMs: 30 * 60_000 };

/** Provisioned before the first test, whose timeout would be too short for an installation. */
const chromium = once(() => provisionChromium(console.log));
const editor = once(async () => {
  await provisionServer(console.log);
  await chromium();
});

function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let begun: Promise<Result> | undefined;
  return () => (begun ??= work());
}

/** In order of priority: the first one waiting gets the next free slot. */
const suites: Readonly<Record<string, (rank: number) => Promise<SuiteResult>>> = {
  build: (rank) => slots.use(rank, () => checkSuite(checks.build)),
  types: (rank) => slots.use(rank, () => checkSuite(checks.types)),
  eslint: (rank) => slots.use(rank, () => checkSuite(checks.eslint)),
  prettier: (rank) => slots.use(rank, () => checkSuite(checks.prettier)),
  unit: async (rank) => {
    await provisionSqlite(console.log);
    return mochaSuite({ name: 'unit', folders: unitFolders, ...QUICK, grep, processes, slots, rank });
  },
  webview: async (rank) => {
    await chromium();
    return mochaSuite({ name: 'webview', folders: ['webview'], ...QUICK, grep, processes, slots, rank });
  },
  extension: async (rank) => {
    await editor();
    return slots.use(rank, () => extensionSuite({ grep }));
  },
  stories: async (rank) => {
    await editor();
    return mochaSuite({ name: 'stories', folders: ['stories'], ...SLOW, grep, processes, slots, rank });
  },
};
const NEEDS_EDITOR = ['webview', 'extension', 'stories'];

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

const BROKEN = { passed: 0, failed: 1, skipped: [] };

async function runSuite(name: string): Promise<SuiteResult> {
  const started = Date.now();
  let result: SuiteResult;
  try {
    result = (await suites[name]?.(Object.keys(suites).indexOf(name))) ?? { name, ...BROKEN };
  } catch (error) {
    console.log(`  ✗ ${name} could not run: ${error instanceof Error ? error.message : String(error)}`);
    result = { name, ...BROKEN };
  }
  result = judgeSuite(result, {
    platform: process.platform,
    isChosen: grep !== undefined,
    print: (line) => console.log(line),
  });
  const { line } = totalOf([result]);
  console.log(`▸ ${result.name}: ${line} (after ${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return result;
}

function tellSlowest(files: readonly FileResult[]): void {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 20);
  if (slowest.length === 0) return;
  console.log(`\nThe slowest ${slowest.length} of ${files.length} files:`);
  for (const { file, seconds } of slowest) console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${file}`);
}

const selected = selectSuites();
const results: SuiteResult[] = [];
// The tests use the build.
if (selected.includes('build')) results.push(await runSuite('build'));
results.push(...(await Promise.all(selected.filter((name) => name !== 'build').map(runSuite))));

const files = results.flatMap((result) => result.files ?? []);
tellSlowest(files);
if (options['keep-durations']) testDurations.keep(files);
const failing = results.filter((result) => result.failed > 0).map((result) => result.name);
const failures = results.flatMap((result) => result.failures ?? []);
console.log(failing.length > 0 ? `\nFailed: ${failing.join(', ')}\n\n${failures.join('\n\n')}\n` : '');
// Lets anything that prints afterwards show the failures again next to the last line.
mkdirSync('.build', { recursive: true });
writeFileSync('.build/failed-tests.txt', failures.join('\n\n'));
const { line, exitCode } = totalOf(results);
console.log(line);
process.exit(exitCode);
