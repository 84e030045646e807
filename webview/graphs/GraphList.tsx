import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { t } from '../../src/base/l10n';
import type { GraphView } from '../../src/protocol/graphPage';
import type { PageAction } from '../../src/protocol/pages';
import { DrawnWhenSeen, inStretches, roomOf, STRETCHES_AT_A_TIME } from './DrawnWhenSeen';
import { type GraphWords, nameOf } from './graphWords';
import { type ListRow, listRows } from './listRows';
import { SeenFirst } from './seenFirst';

interface GraphListProps {
  view: GraphView;
  words: GraphWords;
  act: (action: PageAction) => void;
}

/** The graph as a list, to be read line by line. */
export function GraphList({ view, words, act }: GraphListProps) {
  const [seen] = useState(() => new SeenFirst('.graph-list', STRETCHES_AT_A_TIME));
  const { current, start, nodes, ways } = view;
  const latest = useRef(words);
  latest.current = words;
  const stretches = useMemo(() => inStretches(listRows({ start, nodes, ways })), [start, nodes, ways]);
  useLayoutEffect(() => seen.change(words), [seen, words]);
  const onKeyDown = (event: KeyboardEvent) => {
    const { currentTarget, target, key } = event;
    if (!(currentTarget instanceof HTMLElement) || !(target instanceof HTMLElement)) return;
    const buttons = [...currentTarget.querySelectorAll<HTMLElement>('.graph-row')];
    const at = buttons.findIndex((button) => button === target);
    const next =
      key === 'ArrowDown'
        ? at + 1
        : key === 'ArrowUp'
          ? at - 1
          : key === 'Home'
            ? 0
            : key === 'End'
              ? buttons.length - 1
              : undefined;
    if (next === undefined || at < 0) return;
    event.preventDefault();
    buttons[next]?.focus();
  };
  return (
    <div class="graph-list" role="list" aria-label={t('Nodes of {0}', nameOf(view.name))} onKeyDown={onKeyDown}>
      {stretches.map((some, at) => (
        <DrawnWhenSeen
          key={at}
          seen={seen}
          urgent={some.find(({ id }) => id === current)?.id ?? ''}
          draw={(take) => (
            <div ref={take} class="graph-stretch" style={roomOf(some)}>
              {some.map((row) => (
                <Row key={row.id} row={row} words={latest.current} isCurrent={current === row.id} act={act} />
              ))}
            </div>
          )}
        />
      ))}
    </div>
  );
}

interface RowProps extends Pick<GraphListProps, 'words' | 'act'> {
  row: ListRow;
  isCurrent: boolean;
}

function Row({ row: { id, depth }, words, isCurrent, act }: RowProps) {
  const { title, about, mark } = words.ofNode(id);
  return (
    <div role="listitem" aria-level={depth + 1} style={{ paddingInlineStart: `${depth * 20}px` }}>
      <button
        type="button"
        class={`graph-row ${mark}${isCurrent ? ' current' : ''}`}
        aria-current={isCurrent ? 'location' : undefined}
        onClick={() => act({ kind: 'show-node', node: id })}
      >
        <strong>{title}</strong> <span class="graph-row-line">{about}</span>{' '}
        <span class="graph-row-ways">{words.goesTo(id)}</span>
      </button>
    </div>
  );
}
