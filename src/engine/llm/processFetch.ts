import type { Fetch } from '../ports';

/** This process's `fetch`, looked up on each call: the editor replaces it with one that knows its proxies. */
export const processFetch: Fetch = (input, init) => fetch(input, init);
