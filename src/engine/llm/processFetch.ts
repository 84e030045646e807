import type { Fetch } from '../ports';

/** The `fetch` of this process, as it is when it is called: the editor puts one in its place that knows its proxies. */
export const processFetch: Fetch = (input, init) => fetch(input, init);
