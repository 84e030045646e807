/** The longest side, in pixels, that all providers accept. */
const LONGEST_SIDE = 8000;
/** Anthropic's limit of 5 MiB applies to the base64. */
const MAX_BYTES = (5 * 1024 * 1024 * 3) / 4;

const SMALLER = 'Make a smaller copy.';

interface Format {
  /** Width and height; undefined if they are not where they belong. */
  size: (bytes: Uint8Array) => readonly [width: number, height: number] | undefined;
  isWhole: (bytes: Uint8Array) => boolean;
}

/** JPEG markers that begin a frame and so are followed by its size. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

const FORMATS: Readonly<Record<string, Format>> = {
  'image/png': {
    size: (bytes) => (textAt(bytes, 12, 4) === 'IHDR' ? [big(bytes, 16, 4), big(bytes, 20, 4)] : undefined),
    isWhole: isWholePng,
  },
  'image/jpeg': {
    size: jpegSize,
    isWhole: (bytes) => endsWith(bytes, 0xff, 0xd9),
  },
  'image/gif': {
    size: (bytes) => [little(bytes, 6, 2), little(bytes, 8, 2)],
    isWhole: (bytes) => bytes.length > 13 && endsWith(bytes, 0x3b),
  },
  'image/webp': {
    size: webpSize,
    isWhole: (bytes) => bytes.length >= little(bytes, 4, 4) + 8,
  },
};

/**
 * Returns why a provider would refuse a picture of that type, and with it the whole conversation, for ever, and what helps;
 * undefined if it looks whole. What is compressed in it is not checked.
 */
export function pictureFlaw(bytes: Uint8Array, type: string): string | undefined {
  const format = FORMATS[type];
  const [width = 0, height = 0] = format?.size(bytes) ?? [];
  if (width === 0 || height === 0 || !format?.isWhole(bytes)) return 'it is broken or incomplete.';
  if (bytes.length > MAX_BYTES)
    return `it has ${sizeText(bytes.length)}, and the limit is ${sizeText(MAX_BYTES)}. ${SMALLER}`;
  if (Math.max(width, height) <= LONGEST_SIDE) return undefined;
  return `it has ${width} × ${height} pixels, and the limit is ${LONGEST_SIDE} × ${LONGEST_SIDE}. ${SMALLER}`;
}

export function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(2)} MB`;
}

function isWholePng(bytes: Uint8Array): boolean {
  for (let at = 8; at + 12 <= bytes.length; at += big(bytes, at, 4) + 12) {
    if (textAt(bytes, at + 4, 4) === 'IEND') return true;
  }
  return false;
}

function jpegSize(bytes: Uint8Array): readonly [number, number] | undefined {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    if (isFrame(marker)) return [big(bytes, at + 7, 2), big(bytes, at + 5, 2)];
    // Any number of fill bytes may come before a marker.
    at += marker === 0xff ? 1 : big(bytes, at + 2, 2) + 2;
  }
  return undefined;
}

function webpSize(bytes: Uint8Array): readonly [number, number] | undefined {
  const kind = textAt(bytes, 12, 4);
  if (kind === 'VP8X') return [little(bytes, 24, 3) + 1, little(bytes, 27, 3) + 1];
  if (kind === 'VP8 ') return [little(bytes, 26, 2) & 0x3fff, little(bytes, 28, 2) & 0x3fff];
  if (kind !== 'VP8L' || bytes[20] !== 0x2f) return undefined;
  const both = little(bytes, 21, 4);
  return [(both & 0x3fff) + 1, ((both >>> 14) & 0x3fff) + 1];
}

/** Whether a file ends with these bytes, apart from what some programs append. */
function endsWith(bytes: Uint8Array, ...end: readonly number[]): boolean {
  const last = bytes.subarray(-1024);
  for (let at = last.length - end.length; at >= 0; at--) {
    if (end.every((one, offset) => last[at + offset] === one)) return true;
  }
  return false;
}

function textAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

function big(bytes: Uint8Array, at: number, length: number): number {
  return bytes.subarray(at, at + length).reduce((sum, byte) => sum * 256 + byte, 0);
}

function little(bytes: Uint8Array, at: number, length: number): number {
  return bytes.subarray(at, at + length).reduceRight((sum, byte) => sum * 256 + byte, 0);
}
