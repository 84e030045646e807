import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AgentRuntimeBuilder, createEngine, defineAgent, type Engine, startRun } from '../../../src/library';
import { collectGarbage } from '../../support/collectGarbage';
import { startModelServer } from '../../support/modelServer/modelServer';
import type { Row } from '../row';

const MEGABYTES = 9;
const LINE = 'A line of a file that somebody made large, for instance a log or a dump.\n';
const MIDDLE = 'This one is in the middle.\n';
const CHANGED = 'This one was changed.\n';

/**
 * Usage: node editRows.mjs ROUNDS SCRATCH
 *
 * Measures one `fs_edit` in the middle of a large file, in a run over HTTP: how far the peak memory of the process (VmHWM, reset
 * before) rises above its memory after the same edit of a small file and a garbage collection. Runs only once, whatever ROUNDS
 * is: a second edit would reuse the memory that the first one allocated.
 */
async function measureEdit(scratch: string): Promise<Row[]> {
  const folder = path.join(scratch, 'edited');
  mkdirSync(folder, { recursive: true });
  const server = await startModelServer([
    { when: ({ lastText }) => lastText.endsWith('.txt'), step: ({ lastText }) => ({ call: [editOf(lastText)] }) },
    { when: () => true, step: { say: 'Done.' } },
  ]);
  const env = { PATH: process.env['PATH'], OPENAI_API_KEY: 'test-key', OPENAI_BASE_URL: server.url };
  const editor = defineAgent({ name: 'editor', description: 'Edits', tools: ['fs_edit'], prompt: 'You edit.' });
  const agents = new AgentRuntimeBuilder().catalog([editor]).defaults({ model: 'openai:test-model' }).build();
  const engine = createEngine({ workspace: folder, configFolder: path.join(scratch, 'edit-config'), env, agents });
  try {
    await edit(engine, folder, 'small.txt', 1);
    const peak = await edit(engine, folder, 'large.txt', MEGABYTES);
    const what = `peak memory of one fs_edit in a file of ${MEGABYTES} MB, above the process`;
    return [{ what, value: peak, unit: 'MiB', digits: 0 }];
  } finally {
    await engine.shutDown();
    await server.close();
  }
}

function editOf(name: string) {
  return { name: 'fs_edit', arguments: { path: name, old_string: MIDDLE, new_string: CHANGED } };
}

/** Creates the file, runs the edit, and returns by how many MiB the memory rose in the process. */
async function edit(engine: Engine, workspace: string, name: string, megabytes: number): Promise<number> {
  const half = LINE.repeat(Math.ceil((megabytes * 500_000) / LINE.length));
  const file = path.join(workspace, name);
  writeFileSync(file, `${half}${MIDDLE}${half}`);
  await collectGarbage();
  writeFileSync('/proc/self/clear_refs', '5');
  const before = mebibytes('VmRSS');
  const { outcome } = await startRun(engine, { input: name, agent: 'editor', workspace, approvalMode: 'nothing' });
  const { kind } = await outcome;
  const peak = mebibytes('VmHWM') - before;
  if (kind === 'completed' && readFileSync(file, 'utf8').includes(CHANGED)) return peak;
  throw new Error(`${name} was not changed: the run ended as ${kind}.`);
}

function mebibytes(name: 'VmRSS' | 'VmHWM'): number {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync('/proc/self/status', 'utf8'));
  return Number(found?.[1]) / 1024;
}

const [, scratch = ''] = process.argv.slice(2);
console.log(JSON.stringify(await measureEdit(scratch)));
