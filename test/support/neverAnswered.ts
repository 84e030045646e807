/** Never answers, as a person who is away; rejects as the signal's own handlers do. */
export function neverAnswered(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')), { once: true });
  });
}
