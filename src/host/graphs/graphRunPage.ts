import { runCoalesced } from '../../base/async';
import { type Disposable, DisposableStore, onDispose } from '../../base/disposable';
import { errorText } from '../../base/errors';
import { t } from '../../base/l10n';
import { safeFileName } from '../../base/shown/safeText';
import * as z from '../../base/zod';
import type { AgentEvent, GraphRecord, GraphRuns, KnownRun } from '../../engine';
import type { VisitDetailView } from '../../protocol/graphPage';
import type { PageAction } from '../../protocol/pages';
import type { Command, Host } from '../host';
import { PagePanel } from '../pages/pagePanel';
import { notify } from '../shown/notify';
import { DrawnGraph, graphView } from './drawnGraph';
import { askOfRun, continueRun, graphRunsOf, pickOther, pickRun, retryRun, type ShownRun } from './graphRuns';
import { comparisonOf } from './runComparison';
import { detailOf, runOfGraph } from './runOfGraph';

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

/** Events within this time are shown together. */
const TOGETHER_MS = 150;
/** How often to check for what another process has written. */
const ELSEWHERE_MS = 1000;

interface RunPageTies {
  /** Shows another run. */
  readonly openRun: (at: { sessionId: string; id: string }) => Promise<void>;
  /** Called when the user has closed the page and it is disposed. */
  readonly onClosed: () => void;
}

/** A graph agent's run, drawn live or from its record. */
class GraphRunPage implements Disposable {
  private readonly store = new DisposableStore();
  private readonly panel: PagePanel;
  private readonly graph: DrawnGraph;
  private readonly runs: GraphRuns;
  private readonly look: () => Promise<void>;
  private known: ShownRun;
  private opened: VisitDetailView | null = null;
  private comparedWith: KnownRun | null = null;
  private note: string | null = null;
  /** Whether the user asked to pause a run that is still in its step. */
  private isPausing = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly host: Host,
    first: { run: KnownRun; record: GraphRecord },
    private readonly ties: RunPageTies,
  ) {
    const { onClosed } = ties;
    this.known = Object.assign({ isCarriedOut: false }, first);
    this.runs = graphRunsOf(host);
    this.graph = this.store.add(new DrawnGraph(host));
    this.look = runCoalesced(() => this.lookOnce());
    this.panel = new PagePanel({
      type: 'cairn.graphRun',
      title: t('Graph run: {0}', safeFileName(first.run.view.agent)),
      extensionUri: host.extensionUri,
      log: host.log,
      view: () => Promise.resolve(this.view()),
      act: (action) => this.act(action),
      onClosed: () => {
        this.dispose();
        onClosed();
      },
    });
    this.store.add(host.engine.onEvent((event) => this.heard(event)));
    const looking = setInterval(() => {
      if (this.known.run.view.state === 'open') this.later();
    }, ELSEWHERE_MS);
    this.store.add(onDispose(() => clearInterval(looking)));
  }

  async show(): Promise<void> {
    await this.look();
    await this.panel.show();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.store.dispose();
  }

  private heard({ sessionId, type }: AgentEvent): void {
    if (sessionId === this.known.run.sessionId && !type.endsWith('-delta')) this.later();
  }

  private later(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.look()
        .then(() => this.panel.refresh())
        .catch((error: unknown) => this.host.log.error('A run of a graph could not be shown', error));
    }, TOGETHER_MS);
  }

  /** Reads the record, which alone tells the state of the run, whichever process executes it. */
  private async lookOnce(): Promise<void> {
    const { sessionId, view } = this.known.run;
    try {
      const { run, record } = await this.runs.read(sessionId, view.id);
      const isCarriedOut = run.view.state === 'open' && (run.isHeld || (await this.runsHere(sessionId)));
      this.known = { run, record, isCarriedOut };
      this.isPausing &&= isCarriedOut;
      this.note = this.isPausing ? t('Pausing after this step…') : null;
      if (!this.graph.shown) await this.draw(record);
    } catch (error) {
      this.note = errorText(error);
    }
  }

  private async draw({ begun: { path, graph } }: GraphRecord): Promise<void> {
    const preview = await this.host.engine.content.preview(path, graph);
    if (preview) await this.graph.draw(preview);
    else this.note = t('The graph of this run can no longer be read, so only the timeline is shown.');
  }

  private async runsHere(sessionId: string): Promise<boolean> {
    return (await this.host.chats.open(sessionId)).state.run !== null;
  }

  private view() {
    const { graph, note, opened: detail, known } = this;
    const { run, isCarriedOut } = known;
    const beside = { opened: graph.opened, problems: [], current: detail?.node ?? null, note, canRun: false };
    const comparison = this.comparedWith && comparisonOf(run.view, this.comparedWith.view);
    const whole = { name: run.view.agent, run: runOfGraph(run, isCarriedOut, { detail, comparison }) };
    return graphView(graph.shown, Object.assign(beside, whole));
  }

  private async act(action: PageAction): Promise<void> {
    const { run, record } = this.known;
    const { nodes } = run.view;
    switch (action.kind) {
      case 'show-node': {
        const last = nodes.findLast(({ node }) => node === action.node);
        this.opened = last ? await detailOf(record, last) : null;
        return;
      }
      case 'show-visit': {
        const visit = nodes.find(({ node, step }) => node === action.node && step === action.step);
        this.opened = visit ? await detailOf(record, visit) : null;
        return;
      }
      case 'hide-visit':
        this.opened = null;
        return;
      case 'open-transcript':
        // Only for agents that worked in this run.
        if (nodes.some(({ sessionId }) => sessionId === action.sessionId)) {
          this.host.sessions.openInEditor(action.sessionId);
        }
        return;
      default:
        return this.actOnRun(action);
    }
  }

  private async actOnRun(action: PageAction): Promise<void> {
    const { host, known } = this;
    const { run, record } = known;
    switch (action.kind) {
      case 'pause-run':
        await askOfRun(host, known, 'pause');
        this.isPausing = true;
        return this.look();
      case 'stop-run':
        this.isPausing = false;
        return askOfRun(host, known, 'stop');
      case 'continue-run':
        await this.runs.refuseEarlier(run);
        return continueRun(host, { sessionId: run.sessionId, id: run.view.id, isRetry: false });
      case 'retry-run': {
        const at = await retryRun(host, known, action);
        await continueRun(host, { ...at, isRetry: true });
        return this.ties.openRun(at);
      }
      case 'compare-run':
        this.comparedWith = (await pickOther(host, run)) ?? null;
        return;
      case 'hide-comparison':
        this.comparedWith = null;
        return;
      default:
        return this.graph.act(action, { name: run.view.agent, beside: record.begun.path });
    }
  }
}
