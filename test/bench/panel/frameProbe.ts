import type { Frame } from 'playwright-core';

/** What is asked of the panel's page. Text, because it runs there. */
const PROBE = `(() => {
  const frames = [];
  let last;
  const look = (now) => {
    if (last !== undefined) frames.push(now - last);
    last = now;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  window.frameProbe = frames;
})()`;

/** Watches how long the panel's frames take, from one to the next. Holds for one document of the panel. */
export class FrameProbe {
  private constructor(private readonly frame: Frame) {}

  static async in(frame: Frame): Promise<FrameProbe> {
    await frame.evaluate(PROBE);
    return new FrameProbe(frame);
  }

  /** In ms, since the probe was set. */
  async frames(): Promise<number[]> {
    const values: unknown = await this.frame.evaluate('frameProbe');
    return Array.isArray(values) ? values.map(Number) : [];
  }
}
