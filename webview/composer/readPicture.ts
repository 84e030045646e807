import type { ImageItem } from '../../src/protocol/messageItem';

/** Larger pictures are made smaller by the models themselves, so that more would only cost. */
const MAX_SIDE = 1_568;
const KEPT_BYTES = 700_000;
const MAX_BYTES = 30_000_000;
const THUMBNAIL_SIDE = 160;
const QUALITY = 0.85;

/** A picture as it is sent: as it came when it is small, else scaled down. Rejects with a sentence. */
export async function readPicture(file: File, label: string): Promise<ImageItem> {
  if (file.size > MAX_BYTES) {
    throw new Error(`${label} has ${Math.round(file.size / 1_000_000)} MB. The limit is ${MAX_BYTES / 1_000_000} MB.`);
  }
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) throw new Error(`${label} could not be read as a picture. PNG, JPEG, GIF and WebP can.`);
  try {
    const thumbnail = await scaled(bitmap, THUMBNAIL_SIDE, 'image/webp');
    const fits = Math.max(bitmap.width, bitmap.height) <= MAX_SIDE && file.size <= KEPT_BYTES;
    const sent = fits && isSent(file.type) ? file : await smaller(bitmap);
    const mediaType = isSent(sent.type) ? sent.type : 'image/png';
    return { kind: 'image', label, mediaType, data: await base64(sent), thumbnail: await dataUrl(thumbnail) };
  } finally {
    bitmap.close();
  }
}

function isSent(type: string): type is ImageItem['mediaType'] {
  return type === 'image/png' || type === 'image/jpeg' || type === 'image/gif' || type === 'image/webp';
}

/** Without loss while that stays small, because most pictures here are of text. */
async function smaller(bitmap: ImageBitmap): Promise<Blob> {
  const exact = await scaled(bitmap, MAX_SIDE, 'image/png');
  return exact.size <= KEPT_BYTES ? exact : scaled(bitmap, MAX_SIDE, 'image/jpeg');
}

async function scaled(bitmap: ImageBitmap, side: number, type: string): Promise<Blob> {
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(bitmap.width * scale)),
    Math.max(1, Math.round(bitmap.height * scale)),
  );
  const drawing = canvas.getContext('2d');
  if (!drawing) throw new Error('This editor cannot draw pictures.');
  if (type === 'image/jpeg') {
    // It has no transparency, and black would hide dark text.
    drawing.fillStyle = 'white';
    drawing.fillRect(0, 0, canvas.width, canvas.height);
  }
  drawing.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type, quality: QUALITY });
}

async function base64(blob: Blob): Promise<string> {
  const url = await dataUrl(blob);
  return url.slice(url.indexOf(',') + 1);
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => (typeof reader.result === 'string' ? resolve(reader.result) : reject(new Error('No text.')));
    reader.onerror = () => reject(new Error('The picture could not be read.'));
    reader.readAsDataURL(blob);
  });
}
