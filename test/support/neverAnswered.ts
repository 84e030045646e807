/** Never answers, like a user who is away. Rejects when the signal aborts. */
export function neverAnswered(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')), { once: true });
  });
}
