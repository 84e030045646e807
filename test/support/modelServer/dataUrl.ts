import * as z from 'zod';

/** A picture inside a request. */
export const dataUrl = z.string().regex(/^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/);
