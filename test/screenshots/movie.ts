import gifenc, { type Color } from 'gifenc';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';

interface Frame {
  /** All frames have the same size. */
  readonly image: PNG;
  /** How long the frame was shown, in milliseconds. */
  stood: number;
}

/** Players do not support less, and the eye does not notice more. */
const STEP_MS = 100;
/** One of the 256 colors marks unchanged pixels. */
const COLORS = 255;
/** The number of colors reproduced exactly. */
const EXACT = 160;
const SAME = 255;

/** Takes screenshots of a page until stopped, and makes an animated GIF of those that differ. */
export class Movie {
  private readonly frames: Frame[] = [];
  private recording: Promise<void> | undefined;
  private stopped = false;

  constructor(private readonly page: Page) {}

  start(): void {
    this.recording = this.record();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.recording;
  }

  /** The GIF, which loops. The last frame is shown for `restMs` longer. */
  gif(restMs: number): Uint8Array {
    const last = this.frames.at(-1);
    if (!last) throw new Error('Nothing was recorded: call start() first.');
    return encode([...this.frames.slice(0, -1), { image: last.image, stood: last.stood + restMs }]);
  }

  private async record(): Promise<void> {
    while (!this.stopped) {
      const begun = performance.now();
      const image = PNG.sync.read(await this.page.screenshot({ caret: 'initial' }));
      const last = this.frames.at(-1);
      const isNew = !last || !last.image.data.equals(image.data);
      if (isNew) this.frames.push({ image, stood: 0 });
      const left = STEP_MS - (performance.now() - begun);
      if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
      const shown = this.frames.at(-1);
      if (shown) shown.stood += performance.now() - begun;
    }
  }
}

function encode(frames: readonly Frame[]): Uint8Array {
  const colors = new Colors(frames.map(({ image }) => image.data));
  const gif = gifenc.GIFEncoder();
  let before: Uint8Array | undefined;
  for (const { image, stood } of frames) {
    const index = colors.indexOf(image.data);
    const frame = { transparent: before !== undefined, transparentIndex: SAME, delay: Math.round(stood), dispose: 1 };
    if (before) gif.writeFrame(changesFrom(before, index), image.width, image.height, frame);
    else gif.writeFrame(index, image.width, image.height, { palette: colors.palette, ...frame });
    before = index;
  }
  gif.finish();
  return gif.bytes();
}

/** Leaves out unchanged pixels, which are most of a window. */
function changesFrom(before: Uint8Array, index: Uint8Array): Uint8Array {
  return index.map((color, at) => (color === before[at] ? SAME : color));
}

/** An editor's surfaces have few colors, which are close to each other. Those are kept exactly, and only the rest is quantized. */
class Colors {
  readonly palette: Color[];
  private readonly nearest = new Map<number, number>();

  constructor(images: readonly Buffer[]) {
    const counts = new Uint32Array(1 << 24);
    for (const rgba of images) {
      for (let at = 0; at < rgba.length; at += 4) {
        const color = rgba.readUIntBE(at, 3);
        counts[color] = (counts[color] ?? 0) + 1;
      }
    }
    const drawn = Array.from(counts.keys()).filter((color) => (counts[color] ?? 0) > 0);
    const byCount = drawn.sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0));
    const kept = byCount.slice(0, EXACT).map(rgb);
    const rest = byCount.slice(EXACT).flatMap((color) => [...rgb(color), 255]);
    this.palette = [...kept, ...(rest.length > 0 ? gifenc.quantize(Uint8Array.from(rest), COLORS - kept.length) : [])];
  }

  indexOf(rgba: Buffer): Uint8Array {
    return Uint8Array.from({ length: rgba.length / 4 }, (_, at) => this.nearestTo(rgba.readUIntBE(at * 4, 3)));
  }

  private nearestTo(color: number): number {
    const known = this.nearest.get(color);
    if (known !== undefined) return known;
    const found = gifenc.nearestColorIndex(this.palette, rgb(color));
    this.nearest.set(color, found);
    return found;
  }
}

function rgb(color: number): Color {
  return [color >> 16, (color >> 8) & 255, color & 255];
}
