import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TranscriptList } from './transcriptList';
import { Icon } from '../ui/Icon';

/** Puts the list, which draws itself, into the panel. */
export function Transcript({ list, hidden }: { list: TranscriptList; hidden: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(list.scroll.atEnd);
  useLayoutEffect(() => {
    place.current?.prepend(list.element);
    list.scroll.restore();
    const listening = list.scroll.onAtEnd(setAtEnd);
    return () => listening.dispose();
  }, [list]);
  return (
    <div class="transcript-place" ref={place} hidden={hidden}>
      {!atEnd && (
        <button type="button" class="to-end" title="To the end" onClick={() => list.scroll.toEnd()}>
          <Icon name="arrow-down" />
          <span>To the end</span>
        </button>
      )}
    </div>
  );
}
