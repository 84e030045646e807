import { clipEnd } from '../../../base/truncate';
import { errorText } from '../../../base/errorText';
import type { ScriptTargets } from '../edges';
import type { Graph } from '../graph';
import { itemNodes } from '../itemNodes';
import { GraphRun } from '../graphRun';
import type { AgentGraph } from '../graphRunParts';
import type { GraphEntry } from '../record/graphEntry';
import { textOfValue } from '../state/template';
import { DryAnswers, type WrittenAnswers } from './dryAnswers';
import { dryDesk, type DryDeskParts, type DryNote } from './dryDesk';

/** What would happen in a node, in the order of the run. */
export interface DryNode {
  /** 0-based. */
  readonly step: number;
  readonly node: string;
  readonly type: string;
  /** What would be asked, started, and run; repeated actions appear once, with their count. */
  does: string[];
  /** The assumed answer. */
  answer?: string;
  /** Whether the author wrote the answer. */
  readonly isGiven: boolean;
  goesTo: readonly string[];
  failure?: string;
}

export interface DryRun {
  readonly nodes: readonly DryNode[];
  /** The answer of the graph; absent if it would not finish. */
  readonly answer?: string;
  /** Why it would not finish. */
  readonly failure?: string;
  /** Maximum number of requests to models by the graph's own nodes on this path. */
  readonly mostRequests: number;
  readonly agents: number;
  /** Nodes whose answers were never used. */
  readonly unused: readonly string[];
}

export interface DryRunParts extends Omit<DryDeskParts, 'graph' | 'answers' | 'note'> {
  readonly agent: string;
  readonly file: AgentGraph;
  readonly prompt: string;
  readonly answers: WrittenAnswers;
  /** As in a run: which nodes its scripts may choose. */
  readonly scripts: ScriptTargets;
  readonly signal: AbortSignal;
}

/**
 * Walks through a graph as a run would, with the answers written for it or the simplest valid ones. Nothing is asked, started,
 * run, or stored. Rejects with AbortError.
 */
export async function dryRun({
  agent,
  file,
  prompt,
  answers: written,
  scripts,
  signal,
  ...parts
}: DryRunParts): Promise<DryRun> {
  const { graph } = file;
  const answers = new DryAnswers(written);
  const walk = new Walk(graph, answers);
  const desk = dryDesk({ ...parts, graph, answers, note: (note) => walk.note(note) });
  const run = new GraphRun({
    agent,
    file,
    desk,
    scripts,
    signal,
    timeoutMs: graph.settings.timeoutMs,
    resumed: undefined,
    keep: (_, entry) => {
      walk.take(entry);
      return Promise.resolve();
    },
    asked: () => Promise.resolve(undefined),
    now: () => 0,
    tell: () => undefined,
    isShutDown: () => true,
  });
  const ended = await run.carryOut(prompt).then(
    (answer) => ({ answer }),
    (error: unknown) => {
      if (signal.aborted) throw error;
      return { failure: walk.failure ?? errorText(error) };
    },
  );
  const { nodes, mostRequests, agents } = walk;
  return { nodes, ...ended, mostRequests, agents, unused: answers.unused };
}

/** Collects what a dry run does. */
class Walk {
  readonly nodes: DryNode[] = [];
  mostRequests = 0;
  agents = 0;
  failure: string | undefined;
  private readonly open = new Map<string, { node: DryNode; done: Map<string, number> }>();

  constructor(
    private readonly graph: Graph,
    private readonly answers: DryAnswers,
  ) {}

  /** Throws if the node is to fail: a question is not asked again if its answer did not pass the check. */
  note({ node, words, requests = 0 }: DryNote): void {
    const [id] = this.open.has(node) ? [node] : this.mapsOver(node);
    const at = id === undefined ? undefined : this.open.get(id);
    if (!at) return;
    const times = (at.done.get(words) ?? 0) + 1;
    at.done.set(words, times);
    const own = this.graph.nodes.get(node);
    if (own?.type === 'input' && at.node.node === node && at.done.size > 1) {
      throw new Error(`The answer for “${node}” does not fit. ${words.replace(/^ask you: /, '')}`);
    }
    this.mostRequests += requests;
    if (own?.type === 'agent') this.agents++;
    at.node.does = [...at.done].map(([what, count]) => (count > 1 ? `${what} (${count} times)` : what));
  }

  take(entry: GraphEntry): void {
    if (entry.type === 'ended' && entry.how !== 'completed') this.failure = entry.message;
    if (!('node' in entry)) return;
    const { node: id, step } = entry;
    if (entry.type === 'node-started') {
      const type = this.graph.nodes.get(id)?.type ?? '';
      const node: DryNode = { step, node: id, type, does: [], isGiven: this.answers.has(id), goesTo: [] };
      this.nodes.push(node);
      this.open.set(id, { node, done: new Map() });
      return;
    }
    const at = this.open.get(id)?.node;
    if (entry.type === 'node-done' && at) {
      const said = entry.end ?? entry.output;
      if (said !== undefined) at.answer = clipEnd(textOfValue(said), 2000);
      at.goesTo = entry.targets;
    }
    if (entry.type === 'node-failed' && at) at.failure = entry.message;
    if (entry.type === 'node-done' || entry.type === 'node-failed') this.open.delete(id);
  }

  private mapsOver(branch: string): string[] {
    return [...this.open.keys()].filter((id) => {
      const node = this.graph.nodes.get(id);
      return node?.type === 'map' && itemNodes(node, this.graph).some((one) => one.id === branch);
    });
  }
}
