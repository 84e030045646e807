import { safeLine } from '../../src/base/shown/safeText';
import { useLayoutEffect, useState } from 'preact/hooks';
import { firstWaiting } from '../store/selectors';
import type { TranscriptList } from '../transcript/transcriptList';
import { Icon } from '../ui/Icon';
import { useChat } from '../ui/panelContext';

/** Pinned while what waits for the person is scrolled out of view; leads there. */
export function WaitingLine({ transcript }: { transcript: TranscriptList }) {
  const approvals = useChat((state) => state.approvals);
  const questions = useChat((state) => state.questions);
  const waiting = firstWaiting({ approvals, questions });
  const block = waiting ? transcript.nodeOf(waiting.entryId) : undefined;
  const [isSeen, setSeen] = useState(true);
  useLayoutEffect(() => {
    setSeen(true);
    if (!block) return;
    const watch = new IntersectionObserver((seen) => setSeen(seen.at(-1)?.isIntersecting ?? true), {
      root: transcript.element,
    });
    watch.observe(block);
    return () => watch.disconnect();
  }, [block, transcript]);
  if (!waiting || isSeen) return null;
  const what = waiting.kind === 'approval' ? 'Waiting for your approval' : 'Waiting for your answer';
  return (
    <button type="button" class="strip waiting-line" onClick={() => transcript.goTo(waiting.entryId)}>
      <Icon name="bell" />
      <span class="strip-text">
        {what}: {safeLine(waiting.title, 500, waiting.kind === 'approval' ? 'exact' : 'prose')}
      </span>
      <Icon name="arrow-up" />
    </button>
  );
}
