import { t } from '../../base/l10n';
import * as z from '../../base/zod';
import type { GraphRecord, KnownRun } from '../../engine';
import type { Command, Host } from '../host';
import { notify } from '../shown/notify';
import { GraphRunPage } from './graphRunPage';
import { graphRunsOf } from './graphRuns';
import { pickRun } from './pickRun';

const pages = new WeakMap<Host['chats'], Map<string, GraphRunPage>>();

/** The argument passed by a run's card in the panel. */
const oneRun = z.object({ sessionId: z.string(), graphId: z.string() });

/** Shows a run of a graph agent: the given one, or one that the user picks from this workspace's. */
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
    void notify('info', t('No graph has run in this workspace yet. Choose a graph agent in the chat to run one.'));
    return undefined;
  }
  const picked = await pickRun(runs, t('Show Graph Runs'));
  return picked && { sessionId: picked.sessionId, id: picked.view.id };
}

async function show(host: Host, found: { run: KnownRun; record: GraphRecord }): Promise<void> {
  const open = pages.get(host.chats) ?? new Map<string, GraphRunPage>();
  pages.set(host.chats, open);
  const { id } = found.run.view;
  const openRun = async (at: { sessionId: string; id: string }) => {
    await show(host, await graphRunsOf(host).read(at.sessionId, at.id));
  };
  const page = open.get(id) ?? new GraphRunPage(host, found, { openRun, onClosed: () => open.delete(id) });
  open.set(id, page);
  await page.show();
}
