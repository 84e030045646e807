import { Fragment } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Exactness } from '../../../src/base/shown/safeText';
import { shownLines } from '../../../src/base/shown/shownLines';
import { usePanel } from '../../ui/panelContext';

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

/** Stands behind what a request is about: it can be allowed only once this has been in view. */
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

/** Says in words what a person would not see of what they are asked about; nothing where there is nothing. */
export function UnseenWarning({ text }: { text: string }) {
  const { warning } = useMemo(() => shownLines(text, 'exact'), [text]);
  return warning === null ? null : <p class="unseen-warning">{warning}</p>;
}
