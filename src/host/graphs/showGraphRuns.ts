import * as z from '../../base/zod';
import type { GraphRecord, KnownRun } from '../../engine';
import type { Command, Host } from '../host';
import { notify } from '../shown/notify';
import { pickRow } from '../shown/pickList';
import { GraphRunPage, graphRunsOf } from './graphRunPage';

const pages = new WeakMap<Host['chats'], Map<string, GraphRunPage>>();

/** What the panel says of the run that its card is of. */
const oneRun = z.object({ sessionId: z.string(), graphId: z.string() });

const STATES: Record<KnownRun['view']['state'], { words: string; icon: string }> = {
  open: { words: 'not finished', icon: 'play-circle' },
  completed: { words: 'completed', icon: 'check' },
  rejected: { words: 'rejected', icon: 'circle-slash' },
  failed: { words: 'failed', icon: 'error' },
  stopped: { words: 'stopped', icon: 'debug-stop' },
  paused: { words: 'paused', icon: 'debug-pause' },
};

/** Shows one run of a graph: the one that was given, else one that the person picks from those of this workspace. */
export function showGraphRuns(host: Host): Command {
  return {
    async run(argument) {
      const runs = graphRunsOf(host);
      const { data: given } = oneRun.safeParse(argument);
      const at = given ? { sessionId: given.sessionId, id: given.graphId } : await pick(host);
      if (at) await show(host, await runs.read(at.sessionId, at.id));
    },
  };
}

async function pick(host: Host): Promise<{ sessionId: string; id: string } | undefined> {
  const { session } = await host.currentChat();
  const { runs, problems } = await graphRunsOf(host).list(session.metadata.workspace);
  for (const problem of problems) host.log.warn(problem);
  if (runs.length === 0) {
    void notify('info', 'No graph has run in this workspace yet. Choose a graph agent in the chat to run one.');
    return undefined;
  }
  const rows = runs.map(({ sessionId, view }) => ({
    label: view.agent,
    icon: STATES[view.state].icon,
    description: `${STATES[view.state].words} · ${new Date(view.beganAt).toLocaleString()}`,
    detail: view.prompt,
    at: { sessionId, id: view.id },
  }));
  const options = { title: 'Show Graph Runs', matchOnDescription: true, matchOnDetail: true };
  return (await pickRow(rows, options))?.at;
}

async function show(host: Host, found: { run: KnownRun; record: GraphRecord }): Promise<void> {
  const open = pages.get(host.chats) ?? new Map<string, GraphRunPage>();
  pages.set(host.chats, open);
  const { id } = found.run.view;
  const page = open.get(id) ?? new GraphRunPage(host, found, () => open.delete(id));
  open.set(id, page);
  await page.show();
}
