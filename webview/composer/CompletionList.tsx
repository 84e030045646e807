import { safeLine } from '../../src/base/shown/safeText';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../ui/Icon';

/** One row of the list above the composer. */
export interface Suggestion {
  key: string;
  icon: string;
  label: string;
  /** Quieter, after the label. */
  detail: string;
  take: () => void;
}

export const LIST_ID = 'completions';

export function optionId(at: number): string {
  return `${LIST_ID}-${at}`;
}

interface CompletionListProps {
  label: string;
  suggestions: readonly Suggestion[];
  active: number;
  take: (at: number) => void;
}

/** What can be completed. The focus stays in the composer, which says which row is active. */
export function CompletionList({ label, suggestions, active, take }: CompletionListProps) {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active, suggestions]);
  return (
    <ul ref={list} id={LIST_ID} class="completions" role="listbox" aria-label={label}>
      {suggestions.map((suggestion, at) => (
        <li
          key={suggestion.key}
          id={optionId(at)}
          role="option"
          aria-selected={at === active}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => take(at)}
        >
          <Icon name={suggestion.icon} />
          <span class="completion-label">{safeLine(suggestion.label, 500, 'exact')}</span>
          <span class="completion-detail">{safeLine(suggestion.detail, 500, 'exact')}</span>
        </li>
      ))}
    </ul>
  );
}
