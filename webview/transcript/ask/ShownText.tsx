import type { Exactness } from '../../../src/base/shown/safeText';
import { Fragment } from 'preact';
import { useMemo } from 'preact/hooks';
import { shownLines } from '../../../src/base/shown/shownLines';

/** What would run, or is asked, as it is: what a person would not see is marked, gaps are closed and say so. */
export function ShownText({ text, exactness = 'exact' }: { text: string; exactness?: Exactness }) {
  const { lines } = useMemo(() => shownLines(text, exactness), [text, exactness]);
  return (
    <>
      {lines.map(({ text: line, isNote }, at) => (
        <Fragment key={at}>
          {at > 0 && '\n'}
          {isNote ? <span class="blank-lines">{line}</span> : line}
        </Fragment>
      ))}
    </>
  );
}
