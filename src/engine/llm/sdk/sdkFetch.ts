const LONGEST_WAIT_SECONDS = 60;

/** The global fetch, except that an answer asking for more than a minute of patience is not asked again by the SDK. */
export const sdkFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.ok || !(secondsToWait(response.headers.get('retry-after')) > LONGEST_WAIT_SECONDS)) return response;
  const headers = new Headers(response.headers);
  headers.set('x-should-retry', 'false');
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
};

/** Of a retry-after header in either of its forms; NaN when there is none. */
function secondsToWait(header: string | null): number {
  if (header === null) return NaN;
  const seconds = Number(header);
  return Number.isNaN(seconds) ? (Date.parse(header) - Date.now()) / 1000 : seconds;
}
