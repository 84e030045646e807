import path from 'node:path';
import { EditorSession } from '../../editor/editorSession';
import { Panel } from '../../editor/panel';
import { closeSharedBrowser } from '../../editor/sharedBrowser';
import { until } from '../../editor/until';
import { median, p95, rangeOf } from '../median';
import type { Row } from '../row';
import type { StagedPackage } from '../stagedPackage';
import { LAST_WORDS, writeLongSession } from './longSession';
import { PaintProbe } from './paintProbe';
import { ASK_FOR_FLOOD, ASK_FOR_TICKS, TICKS, TimedModel } from './timedModel';

const BUDGET = { paintMs: 20, paintP95Ms: 35, longToEmpty: 1.2, flood: 1.3, openMs: 1000, heapMib: 150 };
const ENTRIES = 10_000;
/** Ticks to skip: even a machine that renders nothing else is still busy with the startup of the window during them. */
const UNCOUNTED = 20;
const MODEL = { id: 'openai:mock', label: 'Mock', contextWindow: 100_000_000 };
const MIDDLE = 'middle of the flood';
const END = 'end of the flood';

/**
 * Measures the panel in a real editor with the packaged extension: the time from a model's output to its paint, in an empty
 * session and in one of `ENTRIES` entries; a long answer; opening the long session; and the heap of the panel's page after that.
 */
export async function measurePanel(built: StagedPackage, rounds: number): Promise<Row[]> {
  const model = await TimedModel.start();
  const session = await EditorSession.start({
    vsix: [built.vsix()],
    settings: { 'cairn.model': MODEL.id, 'cairn.models': [MODEL] },
    env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'mock', OLLAMA_HOST: '127.0.0.1:9' },
  });
  try {
    const title = writeLongSession(path.join(session.configDir, 'sessions'), session.workspace.path, ENTRIES);
    const panel = new Panel(await session.openWindow());
    await panel.open();
    // The panel opens with the last used session.
    await panel.newSession();
    const probe = await PaintProbe.in(await panel.frame());
    const empty = await paintTimes(panel, probe);
    const floods: Flood[] = [];
    for (let round = 0; round < rounds; round++) floods.push(await flood(panel, probe));
    const opened: number[] = [];
    for (let round = 0; round < rounds; round++) {
      if (round > 0) await panel.newSession();
      opened.push(await openLong(panel, probe, title));
    }
    const heap = await heapMib(panel);
    const long = await paintTimes(panel, probe);
    return rowsOf({ empty, long, floods, opened, heap });
  } finally {
    await session.close();
    await model.stop();
    await closeSharedBrowser();
  }
}

interface Flood {
  /** Ratio of the second half to the first. */
  readonly ratio: number;
  readonly ms: number;
}

interface Measured {
  /** In ms. */
  readonly empty: readonly number[];
  readonly long: readonly number[];
  readonly floods: readonly Flood[];
  readonly opened: readonly number[];
  readonly heap: number;
}

function rowsOf({ empty, long, floods, opened, heap }: Measured): Row[] {
  const ms = (what: string, values: readonly number[]): Row => ({
    what,
    value: median(values),
    range: rangeOf(values),
    unit: 'ms',
    digits: 1,
  });
  const ratio = median(long) / median(empty);
  const halves = floods.map((one) => one.ratio);
  return [
    { ...ms('from a model’s word to its paint, empty session', empty), budget: BUDGET.paintMs },
    { ...ms(`from a model’s word to its paint, session of ${ENTRIES} entries`, long), budget: BUDGET.paintMs },
    { what: 'the same, empty session, p95', value: p95(empty), unit: 'ms', digits: 1, budget: BUDGET.paintP95Ms },
    {
      what: `the same, session of ${ENTRIES} entries, p95`,
      value: p95(long),
      unit: 'ms',
      digits: 1,
      budget: BUDGET.paintP95Ms,
    },
    {
      what: `the same, session of ${ENTRIES} entries to an empty one`,
      value: ratio,
      unit: '×',
      digits: 2,
      budget: BUDGET.longToEmpty,
    },
    {
      what: 'an answer of 1 MB, second half to first half',
      value: median(halves),
      range: rangeOf(halves),
      unit: '×',
      digits: 2,
      budget: BUDGET.flood,
    },
    {
      ...ms(
        'an answer of 1 MB from its first to its last paint',
        floods.map((one) => one.ms),
      ),
      digits: 0,
    },
    { ...ms(`opening a session of ${ENTRIES} entries`, opened), digits: 0, budget: BUDGET.openMs },
    { what: 'heap of the panel’s page then', value: heap, unit: 'MiB', digits: 0, budget: BUDGET.heapMib },
  ];
}

/** Returns the ms from output to paint for the ticks of one answer, without the first `UNCOUNTED`. */
async function paintTimes(panel: Panel, probe: PaintProbe): Promise<number[]> {
  await probe.expect();
  await panel.send(ASK_FOR_TICKS);
  const all = await until(
    'all ticks to be painted',
    async () => {
      const ticks = await probe.ticks();
      return ticks.length >= TICKS ? ticks : undefined;
    },
    60_000,
  );
  await idle(panel);
  return all.slice(UNCOUNTED);
}

/** Streams one long answer in a new session and returns the ratio of its second half's time to its first's. */
async function flood(panel: Panel, probe: PaintProbe): Promise<Flood> {
  await panel.newSession();
  await probe.expect('Part 0', MIDDLE, END);
  await panel.send(ASK_FOR_FLOOD);
  const end = await until('the end of the flood', () => probe.paintedAt(END), 120_000);
  const begin = await probe.paintedAt('Part 0');
  const middle = await probe.paintedAt(MIDDLE);
  await idle(panel);
  if (begin === undefined || middle === undefined) throw new Error('The flood was not painted in order.');
  return { ratio: (end - middle) / (middle - begin), ms: end - begin };
}

/** Returns the ms from the click on the row of the long session to the paint of its end. */
async function openLong(panel: Panel, probe: PaintProbe, title: string): Promise<number> {
  await panel.openHistory();
  await (await panel.locate('.session-row')).filter({ hasText: title }).first().waitFor();
  await probe.expect(LAST_WORDS);
  const clicked = await probe.click('.session-row', title);
  const painted = await until('the end of the long session', () => probe.paintedAt(LAST_WORDS), 20_000);
  return painted - clicked;
}

async function idle(panel: Panel): Promise<void> {
  const send = await panel.button('Stop');
  await until('the run to be over', async () => (await send.count()) === 0, 60_000);
}

/** Returns the heap of the panel's page after garbage collection. Other pages of the same origin may share the heap. */
async function heapMib(panel: Panel): Promise<number> {
  const frame = await panel.frame();
  const page = panel.window.page;
  const cdp = await page
    .context()
    .newCDPSession(frame)
    .catch(() => page.context().newCDPSession(page));
  await cdp.send('HeapProfiler.enable');
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  await cdp.detach();
  return usedSize / 1024 ** 2;
}
