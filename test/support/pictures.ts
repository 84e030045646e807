const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Small images that are whole, so that providers accept them, by media type. */
export const PICTURES = {
  'image/png': Buffer.from(png, 'base64'),
  'image/jpeg': Buffer.from(
    '\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc0\0\x0b\x08\0\x02\0\x03\x01\x01\x11\0\xff\xd9',
    'latin1',
  ),
  'image/gif': Buffer.from(`GIF89a\x02\0\x03\0${'\0'.repeat(10)};`, 'latin1'),
  'image/webp': Buffer.from('RIFF\x18\0\0\0WEBPVP8 \x0c\0\0\0\0\0\0\x9d\x01\x2a\x02\0\x03\0\0\0', 'latin1'),
} as const;

/** A PNG image cut off in the middle. */
export const BROKEN_PICTURE = PICTURES['image/png'].subarray(0, -12);
