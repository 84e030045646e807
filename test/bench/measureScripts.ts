import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cleanEnvironment } from '../editor/cleanEnvironment';
import { runCommand } from '../editor/runCommand';
import { median, rangeOf } from './median';
import type { Row } from './row';
import type { StagedPackage } from './stagedPackage';

/** The maximum for a folder. */
const TOOLS = 500;

/**
 * Measures `cairn tools list` with 500 tools, half of them in Python and half in TypeScript: with nothing cached, with everything
 * cached, and without any tools. One extra, uncounted round warms up.
 */
export async function measureScripts({ dist }: StagedPackage, rounds: number, scratch: string): Promise<Row[]> {
  const full = path.join(scratch, 'with-tools');
  const empty = path.join(scratch, 'without-tools');
  writeTools(path.join(full, 'tools'));
  mkdirSync(empty, { recursive: true });
  const times = { none: [] as number[], cold: [] as number[], warm: [] as number[] };
  for (let round = -1; round < rounds; round++) {
    rmSync(path.join(full, 'cache'), { recursive: true, force: true });
    const none = await list(dist, empty, 0);
    const cold = await list(dist, full, TOOLS);
    const warm = await list(dist, full, TOOLS);
    if (round < 0) continue;
    times.none.push(none);
    times.cold.push(cold);
    times.warm.push(warm);
  }
  return [
    row(`${TOOLS} tools listed, nothing known of them`, times.cold),
    row(`${TOOLS} tools listed, all known`, times.warm),
    row('no tools listed', times.none),
  ];
}

function row(what: string, values: readonly number[]): Row {
  return { what, value: median(values), unit: 'ms', digits: 0, range: rangeOf(values) };
}

function writeTools(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (let at = 0; at < TOOLS / 2; at++) {
    writeFileSync(path.join(folder, `python_${at}.py`), pythonTool(at));
    writeFileSync(path.join(folder, `typed_${at}.ts`), typedTool(at));
  }
}

function pythonTool(at: number): string {
  return `from typing import Literal, Optional

def run(path: str, words: list[str], kind: Literal["all", "any"] = "any", limit: Optional[int] = None):
    """Looks for words in file ${at}.

    Args:
        path: The file, from the workspace
        words: What is looked for
        kind: Whether all of them or any must be there
        limit: How many lines at most
    """
    return [path, *words]
`;
}

function typedTool(at: number): string {
  return `interface Options { kind: 'all' | 'any'; limit?: number }

/**
 * Looks for words in file ${at}.
 * @param path - The file, from the workspace
 * @param words - What is looked for
 * @param options - How
 */
export async function run(path: string, words: string[], options?: Options): Promise<string[]> {
  return [path, ...words, String(options?.limit)];
}
`;
}

async function list(dist: string, configFolder: string, expected: number): Promise<number> {
  const args = [path.join(dist, 'cairn.mjs'), 'tools', 'list', '--config-dir', configFolder, '-C', configFolder];
  const started = performance.now();
  const { code, output } = await runCommand(process.execPath, args, {
    cwd: configFolder,
    env: { ...cleanEnvironment(), HOME: configFolder },
    timeoutMs: 120_000,
  });
  const took = performance.now() - started;
  const found = output.split('\n').filter((line) => line.includes('\t')).length;
  if (code !== 0 || found !== expected)
    throw new Error(`${found} tools were listed instead of ${expected}:\n${output}`);
  return took;
}
