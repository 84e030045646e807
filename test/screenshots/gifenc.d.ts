/** The parts of gifenc 1.0.3 used here, which has no types of its own. */
declare module 'gifenc' {
  export type Color = [red: number, green: number, blue: number];
  interface GifFrame {
    palette?: Color[];
    transparent?: boolean;
    transparentIndex?: number;
    /** Milliseconds. */
    delay?: number;
    /** 1: the frame stays below the next one. */
    dispose?: number;
  }
  interface GifStream {
    writeFrame(index: Uint8Array, width: number, height: number, frame?: GifFrame): void;
    finish(): void;
    bytes(): Uint8Array;
  }
  const gifenc: {
    GIFEncoder(): GifStream;
    quantize(rgba: Uint8Array, maxColors: number): Color[];
    nearestColorIndex(palette: Color[], color: Color): number;
  };
  export default gifenc;
}
