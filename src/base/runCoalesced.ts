/** The same work for all who ask at the same time: whoever asks while it is done has it done once more, after that. */
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
