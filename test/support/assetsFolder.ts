import { resolve } from 'node:path';

/** What comes with Cairn, as the tests find it: they run in the root of the checkout. */
export const ASSETS_FOLDER = resolve('assets');
