import type { Page } from 'playwright-core';
import { z } from 'zod';
import { chat, run, text } from '../../webview/support/chats';
import { longAnswer } from '../../webview/support/longAnswer';
import { launchBrowser, openPanel } from '../../webview/support/panelPage';
import { median } from '../median';
import type { Row } from '../row';

const SIZE = 200_000;
/** Sixteen tokens: at a thousand tokens a second, this many arrive while the host waits for one message. */
const CHARACTERS_IN_FRAME = 64;
const MOST_ELEMENTS = 6_000;

const pouredSchema = z.object({ frames: z.array(z.number()), elements: z.number() });

/** Streams the answer into the entry, one message per frame; returns the time of each and the maximum number of elements. */
const pour = (answer: string): string => `(async () => {
  const answer = ${JSON.stringify(answer)};
  const painted = () => new Promise((resolve) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => resolve();
    channel.port2.postMessage(null);
  }));
  const frames = [];
  let elements = 0;
  let firstSeq = 0;
  for (let at = 0; at < answer.length; at += ${CHARACTERS_IN_FRAME}) {
    const events = [{ type: 'text-appended', entryId: 't', text: answer.slice(at, at + ${CHARACTERS_IN_FRAME}) }];
    const began = performance.now();
    const data = { kind: 'events', sessionId: 'session', firstSeq: ++firstSeq, events };
    window.dispatchEvent(new MessageEvent('message', { data }));
    await painted();
    frames.push(performance.now() - began);
    if (firstSeq % 10 === 0) elements = Math.max(elements, document.querySelectorAll('*').length);
  }
  return { frames, elements };
})()`;

/**
 * Measures the panel's page in a browser while one answer of 200 KB streams into it as fast as it renders: its elements, frames,
 * and heap.
 */
export async function measureLongAnswer(): Promise<Row[]> {
  const browser = await launchBrowser();
  try {
    const state = chat({ entries: [text('t', '', true)], run: run('answering') });
    const { page, problems } = await openPanel(browser, { state });
    await page.locator('article[data-entry-id=t]').waitFor();
    const { frames, elements } = pouredSchema.parse(await page.evaluate(pour(longAnswer(SIZE))));
    if (problems.length > 0) throw new Error(problems.join('\n'));
    const sorted = frames.toSorted((a, b) => a - b);
    const what = 'an answer of 200 KB in the panel';
    return [
      { what: `${what}: elements at most`, value: elements, unit: '', digits: 0, budget: MOST_ELEMENTS },
      { what: `${what}: a message to its paint`, value: median(frames), unit: 'ms', digits: 1 },
      { what: `${what}: the same, p95`, value: sorted[Math.floor(sorted.length * 0.95)] ?? 0, unit: 'ms', digits: 1 },
      { what: `${what}: heap of its page`, value: await heapMib(page), unit: 'MiB', digits: 0 },
    ];
  } finally {
    await browser.close();
  }
}

async function heapMib(page: Page): Promise<number> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('HeapProfiler.enable');
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  return usedSize / 1024 ** 2;
}
