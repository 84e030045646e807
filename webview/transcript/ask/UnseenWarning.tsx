import { useMemo } from 'preact/hooks';
import { shownLines } from '../../../src/base/shown/shownLines';

/** Says in words what a person would not see of what they are asked about; nothing where there is nothing. */
export function UnseenWarning({ text }: { text: string }) {
  const { warning } = useMemo(() => shownLines(text, 'exact'), [text]);
  return warning === null ? null : <p class="unseen-warning">{warning}</p>;
}
