import { Fragment } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Exactness } from '../../../src/base/shown/safeText';
import { shownLines } from '../../../src/base/shown/shownLines';
import { usePanel } from '../../ui/panelContext';

/** The exact text that would run or is asked about: invisible characters are marked, and long gaps are closed with a note. */
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

/** Follows the contents of a request, which can be allowed only once this has been in view. */
export function EndMark({ approvalId }: { approvalId: string }) {
  const { ends } = usePanel();
  const mark = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (!mark.current) return;
    const watched = ends.watch(approvalId, mark.current);
    return () => watched.dispose();
  }, [ends, approvalId]);
  return <span ref={mark} class="end-mark" data-end-of={approvalId} aria-hidden="true" />;
}

/** Describes invisible characters in a request; nothing if there are none. */
export function UnseenWarning({ text }: { text: string }) {
  const { warning } = useMemo(() => shownLines(text, 'exact'), [text]);
  return warning === null ? null : <p class="unseen-warning">{warning}</p>;
}
