import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Frame } from 'playwright-core';
import { EditorSession } from '../../editor/editorSession';
import type { EditorWindow } from '../../editor/editorWindow';
import { closeSharedBrowser } from '../../editor/sharedBrowser';
import { until } from '../../editor/until';
import { median, rangeOf } from '../median';
import type { Row } from '../row';
import type { StagedPackage } from '../stagedPackage';
import { floorExtension } from './floorExtension';
import { type OpeningMark, openingProbe } from './openingProbe';

const BUDGET_MS = 400;
const HIDDEN = { 'workbench.secondarySideBar.defaultVisibility': 'hidden' };
/** By then the editor and its extensions have finished their startup work. */
const CALM_MS = 3000;

type View = 'Cairn' | 'Floor';

/** The ms from the click to each mark, for the first and the second opening in a window. */
interface Openings {
  readonly first: Readonly<Record<OpeningMark, number>>;
  readonly second: Readonly<Record<OpeningMark, number>>;
}

/**
 * Measures the time from the click on the tab of Cairn's view to an input that accepts text, in the real editor with the packaged
 * extension, and the same for a view that is only an input (`programs/floorView.ts`), which shows how much of it is the editor's
 * own cost. The first opening in a window loads and activates the extension; the second only creates the view's page again.
 */
export async function measureOpening(built: StagedPackage, windows: number, scratch: string): Promise<Row[]> {
  const session = await EditorSession.start({
    vsix: [built.vsix()],
    extensions: [await floorExtension(scratch)],
    settings: HIDDEN,
    env: { XDG_CACHE_HOME: path.join(scratch, 'cache'), OLLAMA_HOST: '127.0.0.1:9' },
  });
  const seen: Record<View, Openings[]> = { Cairn: [], Floor: [] };
  try {
    await openingProbe.watch(session.browser);
    // The first windows of a fresh editor have other startup work and must compile Cairn's code, so they are not counted.
    for (let index = 0; index <= windows; index++) {
      for (const view of ['Cairn', 'Floor'] as const) {
        const window = await session.openWindow();
        const openings = await openTwice(window, view);
        if (index > 0) seen[view].push(openings);
        await window.close();
      }
    }
  } finally {
    await session.close();
    await closeSharedBrowser();
  }
  return rowsOf(seen);
}

function rowsOf({ Cairn: cairn, Floor: floor }: Readonly<Record<View, readonly Openings[]>>): Row[] {
  const row = (what: string, values: readonly number[]): Row => ({
    what,
    value: median(values),
    range: rangeOf(values),
    unit: 'ms',
    digits: 0,
  });
  const which = ['first', 'second'] as const;
  return which.flatMap((one) => {
    const of = (view: readonly Openings[], mark: OpeningMark): number[] => view.map((each) => each[one][mark]);
    const opening = `the view's ${one} opening in a window, from the click`;
    return [
      { ...row(`${opening} to an input that takes text`, of(cairn, 'input')), budget: BUDGET_MS },
      row(`${opening} to the whole chat`, of(cairn, 'chat')),
      row(`${opening} to the input of a view that is nothing else`, of(floor, 'input')),
    ];
  });
}

async function openTwice(window: EditorWindow, view: View): Promise<Openings> {
  await rest(window);
  await delay(CALM_MS);
  const first = await open(window, view);
  await rest(window);
  await until('the page of the view to be gone', async () => (await shownIn(window)) === undefined || undefined);
  await delay(CALM_MS);
  return { first, second: await open(window, view) };
}

/** Shows the secondary side bar with a view that has no page. */
const rest = (window: EditorWindow): Promise<void> => window.command('workbench.view.extension.rest');

async function open(window: EditorWindow, view: View): Promise<Record<OpeningMark, number>> {
  await window.sideBar().locator(`.composite-bar .action-item:has([aria-label^="${view}"])`).first().click();
  const painted = async (mark: OpeningMark): Promise<number> =>
    until(`the ${mark} of ${view}`, async () => {
      const frame = await shownIn(window);
      return frame && (await openingProbe.paintedAt(frame, mark));
    });
  const clicked = await openingProbe.clickedAt(window.page.mainFrame());
  const input = (await painted('input')) - clicked;
  return { input, chat: view === 'Cairn' ? (await painted('chat')) - clicked : input };
}

/** Returns the outer document of the view's webview. */
async function shownIn(window: EditorWindow): Promise<Frame | undefined> {
  return window.page
    .frames()
    .find((frame) => frame.url().includes('/webview/browser/pre/index.html') && !frame.isDetached());
}
