import { safeLine } from '../../src/base/shown/safeText';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { focusComposer } from '../ui/focus';
import { Icon } from '../ui/Icon';

/** One row of the list above the composer. */
export interface Suggestion {
  key: string;
  icon: string;
  label: string;
  /** Shown less prominently after the label. */
  detail: string;
  /** Heading; rows of a group are adjacent. */
  group?: string;
  take: () => void;
}

export const LIST_ID = 'completions';

export function optionId(at: number): string {
  return `${LIST_ID}-${at}`;
}

interface CompletionListProps {
  label: string;
  suggestions: readonly Suggestion[];
  /** Shown when there are no suggestions; an empty string shows nothing. */
  none: string;
  /** Whether `none` is shown only after a moment. */
  isSlow: boolean;
  active: number;
  take: (at: number) => void;
}

/** The list of suggestions. Focus stays in the composer, which determines the active row. */
export function CompletionList({ label, suggestions, none, isSlow, active, take }: CompletionListProps) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }),
    [active, suggestions],
  );
  if (suggestions.length === 0) {
    if (none === '') return null;
    return (
      <div class={isSlow ? 'completions completion-group slow' : 'completions completion-group'} role="status">
        {none}
      </div>
    );
  }
  const row = (at: number) => <Row key={suggestions[at]?.key} {...{ at, suggestion: suggestions[at], active, take }} />;
  return (
    // A scrollable list can receive focus, so it returns it: the composer handles the keys.
    <div
      ref={list}
      id={LIST_ID}
      class="completions"
      role="listbox"
      aria-label={label}
      tabIndex={0}
      onFocus={focusComposer}
    >
      {groupsOf(suggestions).map(({ group, places }) =>
        group === undefined ? (
          places.map(row)
        ) : (
          <div key={group} role="group" aria-label={group}>
            <div class="completion-group" aria-hidden="true">
              {group}
            </div>
            {places.map(row)}
          </div>
        ),
      )}
    </div>
  );
}

interface RowProps {
  at: number;
  suggestion: Suggestion | undefined;
  active: number;
  take: (at: number) => void;
}

function Row({ at, suggestion, active, take }: RowProps) {
  if (!suggestion) return null;
  return (
    <div
      id={optionId(at)}
      class="completion"
      role="option"
      aria-selected={at === active}
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => take(at)}
    >
      <Icon name={suggestion.icon} />
      <span class="completion-label">{safeLine(suggestion.label, 500, 'exact')}</span>
      <span class="completion-detail">{safeLine(suggestion.detail, 500, 'exact')}</span>
    </div>
  );
}

/** Returns the indices of the rows by group. */
function groupsOf(suggestions: readonly Suggestion[]): { group: string | undefined; places: number[] }[] {
  const groups: { group: string | undefined; places: number[] }[] = [];
  suggestions.forEach(({ group }, at) => {
    const last = groups.at(-1);
    if (last && last.group === group) last.places.push(at);
    else groups.push({ group, places: [at] });
  });
  return groups;
}
