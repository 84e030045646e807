import * as z from 'zod';

/** An image inside a request. */
export const dataUrl = z.string().regex(/^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/);
