/** Wraps `work` so that concurrent callers share it: calls during a run share one more run, which starts after the current one. */
export function runCoalesced(work: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = () => {
    next = undefined;
    const mine = work().finally(() => {
      if (current === mine) current = undefined;
    });
    current = mine;
    return mine;
  };
  return () => {
    if (!current) return begin();
    next ??= current.then(begin, begin);
    return next;
  };
}
