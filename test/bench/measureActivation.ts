import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EditorSession } from '../editor/editorSession';
import type { EditorWindow } from '../editor/editorWindow';
import { extensionId } from '../editor/extensionId';
import { closeSharedBrowser } from '../editor/sharedBrowser';
import { until } from '../editor/until';
import { median, rangeOf } from './median';
import type { Row } from './row';
import type { StagedPackage } from './stagedPackage';

const BUDGET_MS = 50;

/** Hides the panel at first, so that Cairn's code is loaded on demand and not during the busy startup of the window. */
const HIDDEN = { 'workbench.secondarySideBar.defaultVisibility': 'hidden' };
/** By then the extension host has finished its own startup work. */
const CALM_MS = 3000;

interface Times {
  readonly loadMs: number;
  readonly callMs: number;
}

interface Activation extends Times {
  readonly cpuMs: number;
}

/**
 * Measures what the editor reports for Cairn's code: reading and running the bundle (Load Code), and `activate` (Call Activate).
 * Each window has its own extension host; the packaged extension is installed as it would be for a user.
 */
export async function measureActivation(built: StagedPackage, windows: number, scratch: string): Promise<Row[]> {
  const cache = path.join(scratch, 'cache');
  const env = { XDG_CACHE_HOME: cache };
  const session = await EditorSession.start({ vsix: [built.vsix()], settings: HIDDEN, env });
  try {
    const seen: Activation[] = [];
    // The first window of a fresh editor has other startup work and must compile Cairn's code, so it is not counted.
    for (let index = 0; index <= windows; index++) {
      const window = await session.openWindow();
      await delay(CALM_MS);
      const cpuMs = await activate(window);
      const activation = { cpuMs, ...(await readTimes(window)) };
      if (index > 0) seen.push(activation);
      else await keptCode(cache);
      await window.close();
    }
    const sums = seen.map(({ loadMs, callMs }) => loadMs + callMs);
    return [
      { ...row('activation, load code and activate', sums), budget: BUDGET_MS },
      row(
        'activation, load code',
        seen.map(({ loadMs }) => loadMs),
      ),
      row(
        'activation, activate',
        seen.map(({ callMs }) => callMs),
      ),
      row(
        'activation, CPU time of the extension host meanwhile',
        seen.map(({ cpuMs }) => cpuMs),
      ),
    ];
  } finally {
    await session.close();
    await closeSharedBrowser();
  }
}

/** Resolves once the compiled code is cached for the next window, which happens a few seconds after the first one opens. */
async function keptCode(cache: string): Promise<void> {
  const isKept = (): boolean | undefined =>
    (existsSync(cache) && readdirSync(cache, { recursive: true }).some(isCode)) || undefined;
  await until('the compiled code in its cache', () => Promise.resolve(isKept()), 60_000);
}

const isCode = (name: string | Buffer): boolean => String(name).endsWith('.bin');

function row(what: string, values: readonly number[]): Row {
  return { what, value: median(values), range: rangeOf(values), unit: 'ms', digits: 0 };
}

/** Activates the extension and returns the CPU time that the whole extension host (all threads) used while doing so. */
function activate(window: EditorWindow): Promise<number> {
  return window.ev(async ({ extension }) => {
    if (!extension || extension.isActive) throw new Error('The extension was active before it was asked for.');
    const before = process.cpuUsage();
    await extension.activate();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
}

/** Reads the editor's own "Startup Performance" document, whose table has a row for each extension. */
async function readTimes(window: EditorWindow): Promise<Times> {
  await window.startCommand('perfview.show');
  return until("the extension's row in the editor's performance view", () => findRow(window), 60_000);
}

async function findRow(window: EditorWindow): Promise<Times | undefined> {
  const text = await window.ev(({ vscode }) => {
    const open = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'perf');
    return open?.getText() ?? '';
  });
  const cells = (line: string): string[] => line.split('|').map((cell) => cell.trim());
  const lines = text.split('\n').map(cells);
  const head = lines.find((line) => line.includes('Load Code'));
  const ours = lines.find((line) => line.includes(extensionId));
  const loadMs = Number(ours?.[head?.indexOf('Load Code') ?? -1]);
  const callMs = Number(ours?.[head?.indexOf('Call Activate') ?? -1]);
  return Number.isNaN(loadMs + callMs) ? undefined : { loadMs, callMs };
}
