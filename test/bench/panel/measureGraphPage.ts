import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { z } from 'zod';
import { layoutGraph } from '../../../src/host/graphs/layout/layoutGraph';
import type { GraphView } from '../../../src/protocol/graphPage';
import { largeRun, largeShape } from '../../webview/support/largeRun';
import { openGraphPage } from '../../webview/support/openGraphPage';
import { launchBrowser } from '../../webview/support/panelPage';
import { median, rangeOf } from '../median';
import type { Row } from '../row';
import type { StagedPackage } from '../stagedPackage';

const NODES = 500;
const FRAMES = 40;
const BUDGET_MS = 20;

const framesSchema = z.array(z.number());

/**
 * Posts the run to the page repeatedly, as its host does, with every node changed each time; waits for each paint and returns the
 * time of each.
 */
const changing = (view: GraphView): string => `(async () => {
  const first = ${JSON.stringify(view)};
  const painted = () => new Promise((resolve) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => resolve();
    channel.port2.postMessage(null);
  }));
  const began = Date.now();
  const at = (frame) => first.nodes.map(({ id }, index) => {
    const isDone = (frame + index) % 2 === 0;
    return {
      node: id, step: index, state: isDone ? 'done' : 'running', waitedFrom: began, beganAt: began, endedAt: isDone ? began + frame * 100 : null,
      asks: [], tries: 1, items: 0, itemsAround: 0, branches: [], tokens: frame * 10 + index, costUsd: 0, targets: [], message: null, sessionId: null,
    };
  });
  const show = (frame) => {
    const run = { ...first.run, beganAt: began, tokens: frame, visits: at(frame) };
    window.dispatchEvent(new MessageEvent('message', { data: structuredClone({ changes: { run } }) }));
  };
  for (let frame = 0; frame < 10; frame++) { show(frame); await painted(); }
  const frames = [];
  for (let frame = 10; frame < ${FRAMES + 10}; frame++) {
    const start = performance.now();
    show(frame);
    await painted();
    frames.push(performance.now() - start);
  }
  return frames;
})()`;

/**
 * Measures the page of a run in a browser while every node of a graph changes in each frame: as first drawn, with every group
 * expanded, and as a list.
 */
export async function measureGraphPage({ dist }: Pick<StagedPackage, 'dist'>): Promise<Row[]> {
  const shape = largeShape(NODES);
  const grouped = layoutGraph(shape);
  const groups = grouped.boxes.flatMap(({ id, members }) => (members ? [id] : []));
  const forms = [
    ['in groups', grouped, false],
    ['one by one', layoutGraph(shape, groups), false],
    ['as a list', grouped, true],
  ] as const;
  const browser = await launchBrowser();
  try {
    const rows: Row[] = [];
    for (const [form, drawing, isList] of forms) {
      const frames = await framesOf(browser, dist, largeRun(shape, drawing), isList);
      const what = `a frame of the page of a run while ${NODES} nodes change, ${form}`;
      rows.push({ what, value: median(frames), range: rangeOf(frames), unit: 'ms', digits: 1, budget: BUDGET_MS });
    }
    return rows;
  } finally {
    await browser.close();
  }
}

async function framesOf(browser: Browser, dist: string, view: GraphView, isList: boolean): Promise<number[]> {
  const file = (name: string) => readFile(path.join(dist, name), 'utf8');
  const { page, problems } = await openGraphPage(browser, await file('pages.js'), await file('pages.css'), view);
  const toggle = page.getByRole('button', { name: 'Show as list' });
  await toggle.waitFor();
  if (isList) await toggle.click();
  const frames = framesSchema.parse(await page.evaluate(changing(view)));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  await page.close();
  return frames;
}
