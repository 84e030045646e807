import { resolve } from 'node:path';

/** Cairn's assets. Tests run in the root of the checkout. */
export const ASSETS_FOLDER = resolve('assets');
