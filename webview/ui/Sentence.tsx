import type { ComponentChildren } from 'preact';

interface SentenceProps {
  /** Of `t`, without values. */
  words: string;
  /** What stands for `{0}`, `{1}` and so on, in whatever order a language has them. */
  parts: readonly ComponentChildren[];
}

/** A sentence of ours that has elements in it. */
export function Sentence({ words, parts }: SentenceProps) {
  return <>{words.split(/\{(\d)\}/).map((one, at) => (at % 2 === 0 ? one : parts[Number(one)]))}</>;
}
