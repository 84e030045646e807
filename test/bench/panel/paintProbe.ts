import type { Frame } from 'playwright-core';

/**
 * What is asked of the panel's page. Text, because it runs there. The panel draws what streamed within a frame, so the task
 * after a change of the document comes when that frame is painted.
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

/** Watches what the panel paints, in wall time of this machine. Holds for one document of the panel. */
export class PaintProbe {
  private constructor(private readonly frame: Frame) {}

  static async in(frame: Frame): Promise<PaintProbe> {
    await frame.evaluate(PROBE);
    return new PaintProbe(frame);
  }

  /** Forgets what was seen; from now on these words are looked for. */
  async expect(...words: readonly string[]): Promise<void> {
    await this.frame.evaluate(`paintProbe.reset(); ${JSON.stringify(words)}.forEach(paintProbe.expect)`);
  }

  /** For each tick that was painted, the ms from being said to being painted. */
  async ticks(): Promise<number[]> {
    return numbers(await this.frame.evaluate('paintProbe.ticks'));
  }

  /** When the words were painted, in ms of wall time; undefined before that. */
  async paintedAt(words: string): Promise<number | undefined> {
    const [at] = numbers([await this.frame.evaluate(`paintProbe.marks[${JSON.stringify(words)}]`)].filter(Boolean));
    return at;
  }

  /** Clicks the first element that a selector finds with the text in it; gives the wall time of the click. */
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
