import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel } from '../../ui/panelContext';

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
