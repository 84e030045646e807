import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repoRoot } from '../editor/repoRoot';
import { runCommand } from '../editor/runCommand';
import { bundledPackages } from './bundledPackages';
import { loadedAtOnce } from './loadedAtOnce';
import { thirdPartyNotices } from './thirdPartyNotices';

/** `npm run package`: makes cairn.vsix from a production build. Fails if it exceeds its size budgets. */
const VSIX = 'cairn.vsix';
const VSCE = 'node_modules/@vscode/vsce/vsce';

interface Budget {
  readonly what: string;
  /** Counted together. */
  readonly files: readonly string[];
  readonly kib: number;
}

const budgets = (): readonly Budget[] => [
  { what: VSIX, files: [VSIX], kib: 3 * 1024 },
  {
    what: 'what the extension loads at once',
    files: ['dist/extension.js', ...loadedAtOnce(repoRoot, 'host')],
    kib: 400,
  },
  { what: 'dist/webview.js', files: ['dist/webview.js'], kib: 380 },
];

async function step(what: string, args: readonly string[]): Promise<string> {
  console.log(what);
  const result = await runCommand(process.execPath, args, { cwd: repoRoot, timeoutMs: 300_000 });
  if (result.code === 0) return result.output;
  throw new Error(`node ${args.join(' ')} ended with ${result.code}:\n${result.output}`);
}

function kib(file: string): number {
  return statSync(path.join(repoRoot, file)).size / 1024;
}

function listFiles(output: string): void {
  const files = output.split('\n').filter((line) => line !== '' && !line.startsWith(' '));
  for (const file of files) console.log(`  ${kib(file).toFixed(1).padStart(8)} KiB  ${file}`);
  console.log(`  ${files.length} files`);
}

/** Whether every file is within its budget. */
function checkBudgets(): boolean {
  const over = budgets().filter(({ what, files, kib: budget }) => {
    const size = files.reduce((sum, file) => sum + kib(file), 0);
    const isOver = size > budget;
    console.log(`${isOver ? '✗' : '✓'} ${what}: ${size.toFixed(0)} KiB of at most ${budget} KiB`);
    return isOver;
  });
  return over.length === 0;
}

try {
  await step('Building for production …', ['esbuild.mjs', '--production']);
  const packages = bundledPackages();
  writeFileSync(path.join(repoRoot, 'ThirdPartyNotices.txt'), thirdPartyNotices(packages));
  console.log(`ThirdPartyNotices.txt names ${packages.length} packages`);
  await step('Packaging …', [VSCE, 'package', '--no-dependencies', '--out', VSIX]);
  listFiles(await step(`${VSIX} contains`, [VSCE, 'ls', '--no-dependencies']));
  if (!checkBudgets()) throw new Error('A budget is exceeded: make the bundle smaller, or load the new part lazily.');
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
