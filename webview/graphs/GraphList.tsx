import { t } from '../../src/base/l10n';
import type { GraphView } from '../../src/protocol/graphPage';
import type { PageAction } from '../../src/protocol/pages';
import type { GraphWords } from './graphWords';
import { listRows } from './listRows';

interface GraphListProps {
  view: GraphView;
  words: GraphWords;
  act: (action: PageAction) => void;
}

/** The same as the drawing, to be read line by line. */
export function GraphList({ view, words, act }: GraphListProps) {
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
    <ol class="graph-list" aria-label={t('Nodes of {0}', view.name)} onKeyDown={onKeyDown}>
      {listRows(view).map(({ id, depth }) => {
        const { title, about, mark } = words.ofNode(id);
        return (
          <li key={id} aria-level={depth + 1} style={{ paddingInlineStart: `${depth * 20}px` }}>
            <button
              type="button"
              class={`graph-row ${mark}${view.current === id ? ' current' : ''}`}
              aria-current={view.current === id ? 'location' : undefined}
              onClick={() => act({ kind: 'show-node', node: id })}
            >
              <strong>{title}</strong> <span class="graph-row-line">{about}</span>{' '}
              <span class="graph-row-ways">{words.goesTo(id)}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
