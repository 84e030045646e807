import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createEngine, type Engine, type Provider, startRun } from '../../../src/library';
import { median, rangeOf } from '../median';
import type { Row } from '../row';

const NODES = 1000;
const ANSWER = { kind: 'completed', answer: `${NODES}` };

/**
 * Usage: node graphRows.mjs ROUNDS SCRATCH
 *
 * Runs graphs of 1,000 nodes whose model answers immediately: one node after the other, and all at once in a fan-out. The time is
 * that of the whole run divided by the number of nodes, so it is the cost of Cairn, including its record on disk. Resuming is
 * measured with a chain of which only the last node is left, from the start of the run to its end.
 */
async function measureGraphs(rounds: number, scratch: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [shape, text] of [
    ['chain', chain()],
    ['fan-out', fanOut()],
  ] as const) {
    const times: number[] = [];
    for (let round = -1; round < rounds; round++) {
      const folder = await folderWith(path.join(scratch, `graph-${shape}-${round}`), text);
      const ms = await inEngine(folder, async (engine) => timeOf(engine, folder));
      if (round >= 0) times.push(ms / NODES);
    }
    const what = `a node of a graph, ${shape} of ${NODES}`;
    rows.push({ what, value: median(times), range: rangeOf(times), unit: 'ms', digits: 2, budget: 2 });
  }
  const goingOn: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const ms = await goOn(path.join(scratch, `graph-on-${round}`));
    if (round >= 0) goingOn.push(ms);
  }
  const what = `going on with a graph after ${NODES - 1} steps`;
  rows.push({ what, value: median(goingOn), range: rangeOf(goingOn), unit: 'ms', digits: 0, budget: 200 });
  return [...rows, await checking(rounds, path.join(scratch, 'graph-typed'))];
}

/** Measures checking a graph in which every other node has a mistake, parsed again after each keystroke. */
async function checking(rounds: number, scratch: string): Promise<Row> {
  const folder = await folderWith(scratch, chain());
  return inEngine(folder, async (engine) => {
    const place = engine.content.placeOf(path.join(folder, 'config', 'agents', 'flow', 'graph.yaml'));
    if (!place) throw new Error('The graph is not where agents are.');
    const times: number[] = [];
    let found = 0;
    for (let round = -3; round < rounds; round++) {
      const text = `${mistaken()}# ${'x'.repeat(round + 4)}\n`;
      const began = performance.now();
      found = (await engine.content.check(place, text)).length;
      if (round >= 0) times.push(performance.now() - began);
    }
    const what = `checking a graph of ${NODES} nodes with ${found} mistakes after a key`;
    return { what, value: median(times), range: rangeOf(times), unit: 'ms', digits: 0, budget: 200 };
  });
}

/** Refers in turn to nodes, tools, skills, keys, and values that do not exist. */
function mistaken(): string {
  const mistakes = [
    'fallback: nn1',
    'tools: [fs_raed]',
    'enabled_skills: [git-mastr]',
    'promt: x',
    'instructions: "{{cuont}}"',
  ];
  const nodes = Array.from({ length: NODES }, (_, index) => {
    const mistake = index % 2 === 1 ? (mistakes[((index - 1) / 2) % mistakes.length] ?? '') : '';
    const more = mistake === '' ? '' : `${mistake}, `;
    return `  n${index}: { type: llm, prompt: "Node {{k${index - 1}:-}}", next: n${index + 1}, ${more}state_updates: { k${index}: "{{output}}" } }\n`;
  });
  return `name: typed\nversion: "1.1"\nstart: n0\nnodes:\n${nodes.join('')}  n${NODES}: { type: end }\n`;
}

/** A chain of nodes that each add one to the count. */
function chain(): string {
  const nodes = Array.from(
    { length: NODES },
    (_, index) =>
      `  n${index}: { type: llm, prompt: "Node ${index}", state_updates: { count: "{{output}}" }, next: n${index + 1} }\n`,
  );
  return `name: chain\nstart: n0\nreducers: { count: sum }\nnodes:\n${nodes.join('')}  n${NODES}: { type: end, output: "{{count}}" }\n`;
}

function fanOut(): string {
  const ids = Array.from({ length: NODES }, (_, index) => `n${index}`);
  const nodes = ids.map(
    (id) => `  ${id}: { type: llm, prompt: "${id}", state_updates: { count: "{{output}}" }, next: end }\n`,
  );
  return `name: fan\nstart: all\nreducers: { count: sum }\ninitial_state: { zero: [0] }\nnodes:\n  all: { type: map, over: "{{zero}}", as: item, branch: one, collect_into: ones, next: [${ids.join(', ')}] }\n  one: { type: llm, prompt: x }\n${nodes.join('')}  end: { type: end, output: "{{count}}" }\n`;
}

async function folderWith(folder: string, graph: string): Promise<string> {
  const own = path.join(folder, 'config', 'agents', 'flow');
  await mkdir(own, { recursive: true });
  await writeFile(path.join(own, 'graph.yaml'), graph);
  return folder;
}

async function inEngine<T>(folder: string, use: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = createEngine({ workspace: folder, configFolder: path.join(folder, 'config'), env: {} });
  engine.registerProvider(instantProvider);
  try {
    return await use(engine);
  } finally {
    await engine.shutDown();
  }
}

async function timeOf(engine: Engine, workspace: string): Promise<number> {
  const asked = { input: 'Go.', agent: 'flow', model: 'instant:any', workspace, approvalMode: 'nothing' as const };
  const began = performance.now();
  const run = await startRun(engine, asked);
  const outcome = await run.outcome;
  if (JSON.stringify(outcome) !== JSON.stringify(ANSWER)) throw new Error(JSON.stringify(outcome).slice(0, 500));
  return performance.now() - began;
}

/** Removes the last node and the end from the record of a run, as if it had been interrupted there, and times the resumed run. */
async function goOn(scratch: string): Promise<number> {
  const folder = await folderWith(scratch, chain());
  await inEngine(folder, (engine) => timeOf(engine, folder));
  const sessions = path.join(folder, 'config', 'sessions');
  const [session = ''] = (await readdir(sessions)).filter((name) => !name.includes('.'));
  const graphs = path.join(sessions, session, 'graphs');
  const [record = ''] = await readdir(graphs);
  const file = path.join(graphs, record);
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  const cut = lines.findIndex((line) => line.includes(`"node-started"`) && line.includes(`"n${NODES - 1}"`));
  await writeFile(file, `${lines.slice(0, cut).join('\n')}\n`);
  return inEngine(folder, async (engine) => {
    const began = performance.now();
    const asked = { sessionId: session, agent: 'flow', model: 'instant:any', approvalMode: 'nothing' as const };
    const handle = engine.run(asked);
    const outcome = await handle.outcome;
    if (JSON.stringify(outcome) !== JSON.stringify(ANSWER)) throw new Error(JSON.stringify(outcome).slice(0, 500));
    return performance.now() - began;
  });
}

const instantProvider: Provider = {
  id: 'instant',
  label: 'Instant',
  needsKey: false,
  isReady: () => Promise.resolve(true),
  client: () => ({
    async *stream() {
      yield await Promise.resolve({ type: 'text-delta' as const, text: '1' });
      yield { type: 'finished' as const, reason: 'stop' as const };
    },
  }),
};

const [rounds = '', scratch = ''] = process.argv.slice(2);
console.log(JSON.stringify(await measureGraphs(Number(rounds), scratch)));
