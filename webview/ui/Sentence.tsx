import type { ComponentChildren } from 'preact';

interface SentenceProps {
  /** The result of `t`, without values. */
  words: string;
  /** The values for `{0}`, `{1}` and so on, in whatever order a language uses them. */
  parts: readonly ComponentChildren[];
}

/** A translated sentence that contains elements. */
export function Sentence({ words, parts }: SentenceProps) {
  return <>{words.split(/\{(\d)\}/).map((one, at) => (at % 2 === 0 ? one : parts[Number(one)]))}</>;
}
