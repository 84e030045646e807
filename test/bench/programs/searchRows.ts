import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nodeFileSearch } from '../../../src/node/nodeFileSearch';
import { median } from '../median';
import { ratioRow } from '../ratioRow';
import type { Row } from '../row';

const BUDGET = 1.3;
const FOLDERS = 200;
const FILES_IN_EACH = 25;
const LINES = 80;
/** The limit that the tool `fs_grep` uses. */
const LIMIT = 200;

/** The search terms; each occurs in one of `every` files. */
const QUERIES = [
  { name: 'in one file of 1000', word: 'needleRare', every: 1000 },
  { name: 'in one file of 50', word: 'needleSome', every: 50 },
] as const;

/**
 * Usage: node searchRows.mjs ROUNDS SCRATCH RIPGREP
 *
 * Measures the search of `fs_grep` against ripgrep itself, interleaved, on 5000 files of 5 KB with a .gitignore. Both return
 * paths, line numbers, and lines; Cairn's are sorted. One extra, uncounted round warms up.
 */
async function measureSearch(rounds: number, scratch: string, ripgrep: string): Promise<Row[]> {
  const root = manyFiles(path.join(scratch, 'many'));
  const search = nodeFileSearch({ ripgrepCandidates: [ripgrep], env: {} });
  const rows: Row[] = [];
  for (const { name, word, every } of QUERIES) {
    const ours: number[] = [];
    const theirs: number[] = [];
    const pattern = `${word}\\w*\\(`;
    const expected = (FOLDERS * FILES_IN_EACH) / every;
    const { signal } = new AbortController();
    const grep = async () => (await search.grep({ root, pattern, limit: LIMIT }, signal)).matches.length;
    const rg = () => linesOf(ripgrep, pattern, root);
    for (let round = -2; round < rounds; round++) {
      const turns = [
        { work: grep, times: ours },
        { work: rg, times: theirs },
      ];
      for (const { work, times } of round % 2 === 0 ? turns : turns.reverse()) {
        const began = performance.now();
        const found = await work();
        const took = performance.now() - began;
        if (found !== expected) throw new Error(`${found} lines were found instead of ${expected}.`);
        if (round >= 0) times.push(took);
      }
    }
    rows.push(ratioRow(`fs_grep ${name}, to ripgrep`, ours, theirs, BUDGET));
    rows.push({ what: `fs_grep ${name}`, value: median(ours), unit: 'ms', digits: 1 });
  }
  return rows;
}

/** Returns how many lines ripgrep prints. */
function linesOf(ripgrep: string, pattern: string, root: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const args = ['--no-config', '--hidden', '--line-number', '--no-heading', '--color=never', pattern, root];
    const child = spawn(ripgrep, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    child.on('error', reject);
    child.on('close', () => resolve(text.split('\n').length - 1));
  });
}

function manyFiles(root: string): string {
  let number = 0;
  for (let folder = 0; folder < FOLDERS; folder++) {
    const dir = path.join(root, `area${folder % 20}`, `part${folder}`);
    mkdirSync(dir, { recursive: true });
    for (let file = 0; file < FILES_IN_EACH; file++) writeFileSync(path.join(dir, `file${file}.ts`), textOf(number++));
  }
  writeFileSync(path.join(root, '.gitignore'), '*.log\nbuild/\n');
  return root;
}

function textOf(number: number): string {
  const lines = Array.from(
    { length: LINES },
    (_, line) => `export const value${number}_${line} = compute(${line}, 'x');`,
  );
  for (const { word, every } of QUERIES) if (number % every === 0) lines.push(`${word}${number}(1);`);
  return `${lines.join('\n')}\n`;
}

const [rounds = '', scratch = '', ripgrep = ''] = process.argv.slice(2);
console.log(JSON.stringify(await measureSearch(Number(rounds), scratch, ripgrep)));
