import { mkdtempSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { cleanEnvironment } from '../editor/cleanEnvironment';
import { runCommand } from '../editor/runCommand';
import type { InstantModelServer } from './instantModelServer';

const PROMPT = 'Look around in this project and tell me what you see.';

/** A program to measure: its arguments for Node and its environment. */
export interface Program {
  readonly name: string;
  args(run: { url: string; workspace: string; prompt: string }): readonly string[];
  env(run: { url: string; home: string }): Readonly<Record<string, string>>;
}

export interface RunPlaces {
  readonly model: InstantModelServer;
  readonly exitReport: string;
  readonly workspace: string;
  /** The folder in which new folders are created. */
  readonly scratch: string;
}

/** The cost of one run. */
export interface RunCost {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMib: number;
  /** Sizes of the first and the last request, and of all requests together. */
  readonly firstBytes: number;
  readonly lastBytes: number;
  readonly allBytes: number;
}

/** Runs the program once against the instant model. Throws if it did not complete all of its turns or failed. */
export async function runProgram(program: Program, turns: number, places: RunPlaces): Promise<RunCost> {
  const { model, exitReport, workspace, scratch } = places;
  // A new folder for each run; `HOME` is shared between runs, so a program finds what it stored there, as it would for a user.
  const home = mkdtempSync(path.join(scratch, `${program.name}-`));
  const run = path.basename(home);
  const url = model.url(run, turns);
  const reportFile = path.join(home, 'exit.json');
  const env = {
    ...cleanEnvironment(),
    ...program.env({ url, home }),
    HOME: path.join(scratch, `home-of-${program.name}`),
    BENCH_EXIT_REPORT: reportFile,
  };
  const args = ['--require', exitReport, ...program.args({ url, workspace, prompt: PROMPT })];
  const started = performance.now();
  const { code, output } = await runCommand(process.execPath, args, { cwd: workspace, env, timeoutMs: 120_000 });
  const wallMs = performance.now() - started;
  const report = await model.report(run);
  const isWhole = report.requests === turns + 1 && report.finals === 1 && report.failedCalls === 0;
  if (code !== 0 || !isWhole) {
    const seen = JSON.stringify(report);
    throw new Error(`${program.name} did not do its ${turns} turns (exit code ${code}, ${seen}):\n${output}`);
  }
  const { firstBytes, lastBytes, allBytes } = report;
  const { cpuMs, peakMib } = readExit(reportFile);
  return { wallMs, cpuMs, peakMib, firstBytes, lastBytes, allBytes };
}

function readExit(file: string): { cpuMs: number; peakMib: number } {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (typeof value === 'object' && value !== null && 'peakKib' in value && 'cpuMs' in value) {
    return { cpuMs: Number(value.cpuMs), peakMib: Number(value.peakKib) / 1024 };
  }
  throw new Error(`Not a report of a program's end: ${file}`);
}
