import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AbortError, untilAborted } from '../../../src/base/abort';
import { errorText } from '../../../src/base/errors';
import { fallbackOf } from '../../../src/engine/graphs/edges';
import type { GraphDesk, GraphRunParts } from '../../../src/engine/graphs/desk';
import type { Graph, JsonValue } from '../../../src/engine/graphs/graph';
import { GraphRun } from '../../../src/engine/graphs/graphRun';
import { type GraphEntry, GraphRecords } from '../../../src/engine/graphs/record/graphRecords';
import { runViewOf } from '../../../src/engine/graphs/record/runView';
import { nodePorts } from '../../../src/node/nodePorts';
import { fuzzSize } from '../../support/fuzzSize';
import { seededRandom } from '../../support/seededRandom';
import { graphOf } from './graphText';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports = nodePorts({ env: {}, ripgrepCandidates: [], watches: false, log });
const PROMPT = 'go';

/**
 * Generates layers of nodes of every type that works or asks, some of which fail and continue with a fallback, and some of which
 * lead back up to twice, with an end that joins all of them.
 */
function randomGraph(random: () => number): string {
  const count = 3 + Math.floor(random() * 8);
  const ids = Array.from({ length: count }, (_, index) => `n${index}`);
  const lines = ids.map((id, index) => {
    const after = ids.slice(index + 1);
    const later = after.filter(() => random() < 0.35);
    const next = later.length > 0 ? later.slice(0, 3) : [ids[index + 1] ?? 'end'];
    const fallback = [...after, 'end'][Math.floor(random() * (after.length + 1))] ?? 'end';
    return `  ${id}: { ${randomNode(id, { random, next, fallback })} }\n`;
  });
  const head =
    'name: a\nversion: "1.1"\nstart: n0\nreducers: { sum: sum, log: append }\ninitial_state: { sum: 0, items: [x, y, z] }\n';
  const branches = `  each: { type: llm, prompt: "each {{one}}", fallback: instead }
  task: { type: agent, agent: helper, prompt: "task {{one}} {{sum}}" }
  instead: { type: llm, prompt: "instead of {{one}}" }
`;
  return `${head}nodes:\n${lines.join('')}${branches}  end: { type: end, join: all, output: "{{log}} {{sum}}" }\n`;
}

interface Place {
  readonly random: () => number;
  readonly next: readonly string[];
  readonly fallback: string;
}

function randomNode(id: string, { random, next, fallback }: Place): string {
  const common = `next: [${next.join(', ')}]${random() < 0.5 ? ', join: all' : ''}`;
  const updates = `state_updates: { ${id}: "{{output}}", sum: "1", log: "${id}" }`;
  const mayFail = random() < 0.5 ? `fallback: ${fallback}, ` : '';
  const retry = random() < 0.3 ? 'retry: { attempts: 2, delay: 0 }, ' : '';
  switch (Math.floor(random() * 7)) {
    case 0:
      return `type: script, script: x.sh, ${retry}${common}`;
    case 1: {
      const asked = `type: input, question: "${id}?", state_updates: { ${id}: "{{input}}", sum: "1", log: "${id}" }`;
      return `${asked}, next: ${next[0] ?? 'end'}`;
    }
    case 2: {
      const routes = next.map((to, at) => `A${at}: ${to}`).join(', ');
      const options = next.map((_, at) => `A${at}`).join(', ');
      return `type: approval, question: "${id}?", options: [${options}], routes: { ${routes} }, on_other: end, state_updates: { ${id}: "{{choice}}" }`;
    }
    case 3: {
      const branch = random() < 0.5 ? 'each' : 'task';
      return `type: map, over: "{{items}}", as: one, branch: ${branch}, collect_into: all_${id}, max_concurrency: 2, ${common}`;
    }
    case 4:
      return `type: agent, agent: helper, prompt: "${id} {{sum}}", ${updates}, ${common}`;
    case 5:
      return `type: command, command: "${id} {{sum}}", ${mayFail}${updates}, ${common}`;
    default:
      return `type: llm, prompt: "${id} {{sum}}", ${mayFail}${retry}${updates}, ${common}`;
  }
}

async function turns(count: number): Promise<void> {
  for (let index = 0; index < count; index++) await new Promise(setImmediate);
}

/** Returns the sum of the bytes, so that an answer depends only on the question. */
const sumOf = (text: string) => Buffer.from(text).reduce((sum, byte) => sum + byte, 0);

/** Answers every question in a fixed way, after a random delay. */
function scripted(graph: Graph, timing: () => number, worked: (node: string) => void): GraphDesk {
  const soon = async (node: string, signal: AbortSignal) => {
    worked(node);
    await turns(Math.floor(timing() * 3));
    if (signal.aborted) throw new AbortError();
  };
  const report = (text: string) => ({ text });
  // Only nodes whose failure has a fallback: otherwise the first of several failures would depend on the timing.
  const failSome = (node: string, text: string) => {
    const own = graph.nodes.get(node);
    if (own && fallbackOf(own) !== undefined && sumOf(text) % 3 === 0) throw new Error(`${text} is broken.`);
  };
  return {
    think: async ({ node, prompt, spend }, signal) => {
      await soon(node, signal);
      spend({ tokens: 1, costUsd: 0.5 }, sumOf(prompt) % 2 === 0);
      failSome(node, prompt);
      return report(`<${prompt}>`);
    },
    delegate: async ({ node, prompt, session, spend }, signal) => {
      if (session.earlier === undefined) await session.keep(`session of ${prompt}`);
      assert.equal(
        session.earlier ?? `session of ${prompt}`,
        `session of ${prompt}`,
        'it continues in its own session',
      );
      await soon(node, signal);
      spend({ tokens: 1, costUsd: 0.5 }, sumOf(prompt) % 2 === 0);
      return { text: `(${prompt})`, sessionId: `session of ${prompt}` };
    },
    askModel: () => Promise.reject(new Error('No model is asked aside.')),
    runCommand: async ({ node, command }, signal) => {
      await soon(node, signal);
      failSome(node, command);
      return { exitCode: sumOf(command) % 2, output: `ran ${command}` };
    },
    runScript: async ({ node, state }, signal) => {
      await soon(node, signal);
      const times = Number(state[`times_${node}`] ?? 0);
      const isBack = times < 2 && sumOf(node) % 3 === 0 && graph.start !== node;
      const printed = { [`times_${node}`]: times + 1, sum: 1, log: node, ...(isBack && { _next: graph.start }) };
      return JSON.stringify(printed);
    },
    askPerson: async (node, { question, options }, signal) => {
      await soon(node, signal);
      const text = options[sumOf(question) % Math.max(1, options.length)] ?? `said ${question}`;
      return { kind: 'answered', texts: [text] };
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (ms === 0) resolve();
        const stop = () => reject(new AbortError());
        if (signal.aborted) stop();
        else signal.addEventListener('abort', stop, { once: true });
      }),
  };
}

/** The parts that are the same for all runs here, which count as cut off when their signal aborts. */
function parts(graph: Graph, text: string, signal: AbortSignal): Omit<GraphRunParts, 'desk' | 'keep'> {
  return {
    agent: 'flow',
    file: { graph, text, path: '/flow/graph.yaml' },
    timeoutMs: undefined,
    resumed: undefined,
    asked: () => Promise.resolve(undefined),
    now: () => 0,
    tell: () => undefined,
    signal,
    isShutDown: () => true,
  };
}

interface Process {
  records: GraphRecords;
  graph: Graph;
  text: string;
  timing: () => number;
  /** The number of lines on disk at which the process is killed. */
  lines?: number;
}

/** Simulates one process that runs the graph, or resumes the run on disk. Resolves with undefined if it was killed. */
async function processOf({ records, graph, text, timing, lines = Infinity }: Process): Promise<string | undefined> {
  const [id] = await records.list();
  const known = id === undefined ? undefined : await records.read(id);
  const done = new Set((known?.entries ?? []).flatMap((one) => (one.type === 'node-done' ? [keyOf(one)] : [])));
  const begun = new Map<string, number>();
  const kill = new AbortController();
  let left = lines;
  const run = new GraphRun({
    ...parts(graph, text, kill.signal),
    desk: scripted(graph, timing, () => undefined),
    keep: async (run, entry) => {
      if (kill.signal.aborted) throw new AbortError();
      if (entry.type === 'node-started') {
        begun.set(entry.node, entry.step);
        assert.ok(!done.has(keyOf(entry)), `${keyOf(entry)} was done and ran again`);
      }
      await records.add(run, entry);
      if (--left > 0) return;
      kill.abort();
      throw new AbortError();
    },
    resumed: known && { id: known.begun.id, prompt: known.begun.prompt, entries: known.entries },
  });
  try {
    return `answer: ${await run.carryOut(PROMPT)}`;
  } catch (error) {
    if (kill.signal.aborted) return undefined;
    return `failure: ${errorText(error)}`;
  }
}

const keyOf = ({ step, node }: { step: number; node: string }) => `${step} ${node}`;

/** Returns what was written, in an order that does not depend on which node of a step finished first. */
function written(entries: readonly GraphEntry[]): JsonValue[] {
  return entries
    .flatMap((one) => (one.type === 'node-done' ? [one] : []))
    .map(({ step, node, writes, targets, output }) => [
      step,
      node,
      writes.map(({ key, value }) => [key, value]),
      [...targets],
      output ?? null,
    ])
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

async function lineCount(records: GraphRecords): Promise<number> {
  const [id = ''] = await records.list();
  return (await records.read(id)).entries.length + 1;
}

describe('A killed graph', function () {
  this.timeout(120_000);
  const SEED = Number(process.env['CAIRN_SEED'] ?? 7);
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'cairn-killed-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  const recordsIn = (name: string) => new GraphRecords(join(folder, name), ports);

  for (let index = 0; index < fuzzSize(60); index++) {
    it(`number ${index} of seed ${SEED} reaches the same result when killed at any line of its record`, async () => {
      const random = seededRandom(SEED * 1000 + index);
      const text = randomGraph(random);
      const graph = await graphOf(text);
      const timing = seededRandom(index);
      const whole = recordsIn(`${index}-whole`);
      const result = await processOf({ records: whole, graph, text, timing });
      const [wholeId = ''] = await whole.list();
      const unkilled = await whole.read(wholeId);
      const wanted = written(unkilled.entries);
      const { tokens } = runViewOf(unkilled);
      const count = await lineCount(whole);
      for (let lines = 1; lines < count; lines++) {
        const name = `${index}-${lines}`;
        const records = recordsIn(name);
        assert.equal(await processOf({ records, graph, text, timing, lines }), undefined, 'it was to be killed');
        const [id = ''] = await records.list();
        const path = join(folder, name, 'graphs', `${id}.jsonl`);
        if (random() < 0.5) await cutLastLine(path, random);
        const second = 2 + Math.floor(random() * 6);
        const again =
          (await processOf({ records, graph, text, timing, lines: second })) ??
          (await processOf({ records, graph, text, timing }));
        assert.equal(again, result, `killed after ${lines} lines and then after ${second}\n${text}`);
        const record = await records.read(id);
        assert.deepEqual(written(record.entries), wanted);
        assert.ok(runViewOf(record).tokens >= tokens, 'what was used before the kill was forgotten');
      }
    });
  }
});

describe('A graph whose record is written slowly', () => {
  it('begins no step before the end of the one before is on disk', async () => {
    const text =
      'name: a\nstart: a\nnodes:\n  a: { type: llm, prompt: a, next: b }\n  b: { type: llm, prompt: b, next: end }\n  end: { type: end }\n';
    const graph = await graphOf(text);
    const kept: string[] = [];
    const run = new GraphRun({
      ...parts(graph, text, new AbortController().signal),
      desk: scripted(graph, Math.random, (node) => kept.push(`work on ${node}`)),
      keep: async (_, { type }) => {
        await turns(type === 'step-done' ? 20 : 1);
        kept.push(type);
      },
    });
    await run.carryOut(PROMPT);
    const step = (node: string) => ['node-started', `work on ${node}`, 'node-done', 'step-done'];
    const told = kept.filter((one) => one !== 'used');
    assert.deepEqual(told, ['begun', ...step('a'), ...step('b'), 'node-started', 'node-done', 'step-done', 'ended']);
  });
});

describe('A map with very many items', () => {
  it('starts only as many as may run at once, and can be cancelled', async () => {
    const text =
      'name: a\nstart: a\nnodes:\n  a: { type: script, script: x.sh, next: b }\n  b: { type: map, over: "{{list}}", as: one, branch: each, collect_into: all, max_concurrency: 5, next: end }\n  each: { type: llm, prompt: "{{one}}" }\n  end: { type: end }\n';
    const graph = await graphOf(text);
    const cancel = new AbortController();
    let begun = 0;
    const desk: GraphDesk = {
      ...scripted(graph, Math.random, () => undefined),
      runScript: () => Promise.resolve(JSON.stringify({ list: Array.from({ length: 300_000 }, (_, item) => item) })),
      think: (_, signal) => {
        if (++begun === 5) setImmediate(() => cancel.abort());
        return untilAborted(new Promise(() => undefined), signal);
      },
    };
    const run = new GraphRun({ ...parts(graph, text, cancel.signal), desk, keep: () => Promise.resolve() });
    await assert.rejects(run.carryOut(PROMPT), { name: 'AbortError' });
    assert.equal(begun, 5);
  });
});

/** Truncates the last line, as a crash in the middle of a write would. The first line, which identifies the run, is always complete. */
async function cutLastLine(path: string, random: () => number): Promise<void> {
  const bytes = await readFile(path);
  const from = bytes.lastIndexOf(10, bytes.length - 2) + 1;
  if (from === 0) return appendFile(path, '{"type":"node-st');
  await truncate(path, from + Math.floor(random() * (bytes.length - from)));
}
