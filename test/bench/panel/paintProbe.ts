import type { Frame } from 'playwright-core';

/**
 * The script to evaluate in the panel's page, as text because it runs there. The panel draws streamed text within a frame, so the
 * task that follows a change of the document runs when that frame is painted.
 */
const PROBE = `(() => {
  const now = () => performance.timeOrigin + performance.now();
  const probe = { ticks: [], marks: {} };
  const wanted = new Set();
  let seen = -1;
  const look = () => {
    const text = document.querySelector('.transcript')?.textContent ?? '';
    const at = text.lastIndexOf('tick ' + (seen + 1) + ' at ');
    const fresh = at < 0 ? [] : [...text.slice(at).matchAll(/tick (\\d+) at ([\\d.]+);/g)];
    if (fresh.length > 0) seen = Number(fresh.at(-1)[1]);
    const reached = [...wanted].filter((words) => text.includes(words));
    for (const words of reached) wanted.delete(words);
    if (fresh.length === 0 && reached.length === 0) return;
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      const painted = now();
      for (const [, , said] of fresh) probe.ticks.push(painted - Number(said));
      for (const words of reached) probe.marks[words] = painted;
    };
    channel.port2.postMessage(null);
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  probe.reset = () => { probe.ticks = []; probe.marks = {}; seen = -1; };
  probe.expect = (words) => wanted.add(words);
  probe.now = now;
  window.paintProbe = probe;
})()`;

/** Records what the panel paints, in wall-clock time. Valid for a single document of the panel. */
export class PaintProbe {
  private constructor(private readonly frame: Frame) {}

  static async in(frame: Frame): Promise<PaintProbe> {
    await frame.evaluate(PROBE);
    return new PaintProbe(frame);
  }

  /** Discards what was recorded and starts to look for these words. */
  async expect(...words: readonly string[]): Promise<void> {
    await this.frame.evaluate(`paintProbe.reset(); ${JSON.stringify(words)}.forEach(paintProbe.expect)`);
  }

  /** Returns the ms from output to paint for each painted tick. */
  async ticks(): Promise<number[]> {
    return numbers(await this.frame.evaluate('paintProbe.ticks'));
  }

  /** Returns when the words were painted, in ms of wall-clock time; undefined before that. */
  async paintedAt(words: string): Promise<number | undefined> {
    const [at] = numbers([await this.frame.evaluate(`paintProbe.marks[${JSON.stringify(words)}]`)].filter(Boolean));
    return at;
  }

  /** Clicks the first element that matches the selector and contains the text; returns the wall-clock time of the click. */
  async click(selector: string, text: string): Promise<number> {
    const [at = NaN] = numbers([
      await this.frame.evaluate(`(() => {
        const found = [...document.querySelectorAll(${JSON.stringify(selector)})]
          .find((element) => element.textContent.includes(${JSON.stringify(text)}));
        const at = paintProbe.now();
        found.click();
        return at;
      })()`),
    ]);
    return at;
  }
}

function numbers(values: unknown): number[] {
  return Array.isArray(values) ? values.map(Number) : [];
}
