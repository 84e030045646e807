import { EditorSession } from '../editor/editorSession';
import type { EditorWindow } from '../editor/editorWindow';
import { Panel } from '../editor/panel';
import { closeSharedBrowser } from '../editor/sharedBrowser';
import { until } from '../editor/until';
import type { ModelRequest } from '../support/modelServer/modelRequest';
import { type ModelServer, startModelServer } from '../support/modelServer/modelServer';
import type { Step } from '../support/modelServer/story';
import type { Row } from './row';
import type { StagedPackage } from './stagedPackage';

const BUDGET_MIB = { one: 30, ten: 120 };
const READS = 20;
const FILE_BYTES = 8000;
const SESSIONS = 10;
const GO = 'Read every file.';

const fileName = (index: number): string => `notes/file${index}.txt`;
const line = 'What was seen on this day, and what was made of it. ';
const FILES = Object.fromEntries(
  Array.from({ length: READS }, (_, at) => [fileName(at), line.repeat(FILE_BYTES / line.length)]),
);

/**
 * Measures the memory of active sessions in one extension host of the real editor, relative to a host with the panel open and no
 * run: its heap and buffers after garbage collection. Each session has read its files, one per turn, and is in the middle of an
 * answer.
 */
export async function measureSessionMemory(built: StagedPackage): Promise<Row[]> {
  const model = await startModelServer([{ when: () => true, step: answer }]);
  const session = await EditorSession.start({
    vsix: [built.vsix()],
    settings: { 'cairn.model': 'openai:mock' },
    files: FILES,
    env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'test-key', OLLAMA_HOST: '127.0.0.1:9' },
  });
  try {
    const window = await session.openWindow();
    await new Panel(window).open();
    const idle = await usedMib(window);
    await work(window, model, 1);
    const one = (await usedMib(window)) - idle;
    await work(window, model, SESSIONS);
    const ten = (await usedMib(window)) - idle;
    const row = (what: string, value: number): Row => ({ what, value, unit: 'MiB', digits: 1 });
    return [
      row('the extension host with the panel open, heap and buffers', idle),
      { ...row('a session at work in it', one), budget: BUDGET_MIB.one },
      { ...row(`${SESSIONS} sessions at work in it`, ten), budget: BUDGET_MIB.ten },
    ];
  } finally {
    await session.close();
    await model.close();
    await closeSharedBrowser();
  }
}

/** Reads one file after another, then starts an answer that never ends. */
function answer({ messages }: ModelRequest): Step {
  if (!messages.some(({ text }) => text.includes(GO))) return { say: 'A title' };
  const read = readsIn(messages);
  if (read === READS) return { say: 'One moment. ', hold: 'for good' };
  return { call: [{ name: 'fs_read', arguments: { path: fileName(read) } }] };
}

const readsIn = (messages: ModelRequest['messages']): number => messages.flatMap(({ results }) => results).length;

/** Starts runs until `sessions` of them are in the middle of their last answer. */
async function work(window: EditorWindow, model: ModelServer, sessions: number): Promise<void> {
  const atWork = (): number => model.requests.filter(({ messages }) => readsIn(messages) === READS).length;
  for (let started = atWork(); started < sessions; started++) await start(window);
  await until(`${sessions} sessions to be at work`, () => Promise.resolve(atWork() >= sessions || undefined), 60_000);
}

function start(window: EditorWindow): Promise<null> {
  return window.ev(async ({ extension }, input) => {
    const api = extension?.exports;
    if (typeof api !== 'object' || api === null || !('run' in api) || typeof api.run !== 'function') {
      throw new Error('The extension gives no way to start a run.');
    }
    await Reflect.apply(api.run, api, [{ input, approvalMode: 'nothing' }]);
    return null;
  }, GO);
}

/** Returns the heap and buffers of the extension host after garbage collection. */
function usedMib(window: EditorWindow): Promise<number> {
  return window.ev(async () => {
    const v8 = process.getBuiltinModule('node:v8');
    const vm = process.getBuiltinModule('node:vm');
    v8.setFlagsFromString('--expose-gc');
    const collect: unknown = vm.runInNewContext('gc');
    if (typeof collect !== 'function') throw new Error('There is no way to collect garbage.');
    // Objects that are only released by a later task are collected by the second pass.
    Reflect.apply(collect, undefined, []);
    await new Promise((resolve) => setImmediate(resolve));
    Reflect.apply(collect, undefined, []);
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / 1024 ** 2;
  });
}
