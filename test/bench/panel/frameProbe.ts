import type { Frame } from 'playwright-core';

/** The script to evaluate in the panel's page, as text because it runs there. */
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

/** Measures the frame times of the panel. Valid for a single document of the panel. */
export class FrameProbe {
  private constructor(private readonly frame: Frame) {}

  static async in(frame: Frame): Promise<FrameProbe> {
    await frame.evaluate(PROBE);
    return new FrameProbe(frame);
  }

  /** In ms, since the probe was installed. */
  async frames(): Promise<number[]> {
    const values: unknown = await this.frame.evaluate('frameProbe');
    return Array.isArray(values) ? values.map(Number) : [];
  }
}
