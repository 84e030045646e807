import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentEvent, type AgentHandle, GraphRuns, type KnownRun } from '../../../src/engine';
import { nodePorts } from '../../../src/node/nodePorts';
import type { EngineWorld } from '../../support/engineWorld';
import { type ScriptWorld, withScripts } from '../../support/scriptWorld';

/** Runs the agent whose graph is `graphOf(…)`. */
export const FLOW = { agent: 'flow' };

/** The text of a graph in the format 1.1 that starts at the node `a`. */
export const graphOf = (nodes: string, more = ''): string =>
  `name: flow\nversion: "1.1"\nstart: a\n${more}nodes:\n${nodes}`;

/** A model's call that reads the file `note.txt`. */
export const READ = { call: [{ name: 'fs_read', arguments: { path: 'note.txt' } }] };

type Options = Parameters<typeof withScripts>[0];
type AnyWorld = Pick<EngineWorld, 'engine' | 'folder'>;

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Runs `use` in a world with the graph as the workspace's agent `flow`. */
export function withGraph(graph: string, options: Options, use: (world: ScriptWorld) => Promise<void>): Promise<void> {
  const files = { '.cairn/agents/flow/graph.yaml': graph, ...options.files };
  return withScripts({ ...options, files }, use);
}

export function changeGraph({ folder }: AnyWorld, graph: string): Promise<void> {
  return writeFile(join(folder, '.cairn/agents/flow/graph.yaml'), graph);
}

/** Returns the nodes that finished, in order. */
export const nodesOf = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'node-finished' ? [event.node] : []));

export function graphRuns({ engine }: AnyWorld): GraphRuns {
  return new GraphRuns(engine.sessions, nodePorts({ env: {}, ripgrepCandidates: [], watches: false, log }));
}

/** Returns the only run of a graph agent, or its newest one. */
export async function runOf(world: AnyWorld, agent = 'flow'): Promise<KnownRun> {
  const { runs } = await graphRuns(world).list();
  const found = runs.find(({ view }) => view.agent === agent);
  assert.ok(found, `no run of ${agent}`);
  return found;
}

/** Returns the record of a run from disk. */
export function recordText({ sessionsFolder }: Pick<EngineWorld, 'sessionsFolder'>, run: KnownRun): Promise<string> {
  return readFile(join(sessionsFolder, run.sessionId, 'graphs', `${run.view.id}.jsonl`), 'utf8');
}

/** Resolves when a node finishes in a run that was just started. */
export function untilDone(handle: AgentHandle, node: string): Promise<void> {
  return new Promise((resolve) => {
    handle.subscribe((event) => {
      if (event.type === 'node-finished' && event.node === node) resolve();
    });
  });
}
