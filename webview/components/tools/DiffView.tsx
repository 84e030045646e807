import { useEffect, useMemo, useState } from 'preact/hooks';
import type { FileDiff } from '../../../src/protocol/chatState';
import type { CodeToken } from '../../markdown/highlightLines';
import { diffRows, type DiffRow } from './diffRows';
import { colourRows } from './colourRows';
import { usePanel } from '../panelContext';

const SIGNS = { ' ': '', '+': 'added', '-': 'removed' } as const;

/** A small diff in one column; its colours come when there is time. */
export function DiffView({ diff }: { diff: FileDiff }) {
  const { highlighter } = usePanel();
  const rows = useMemo(() => diffRows(diff), [diff]);
  const [colours, setColours] = useState<readonly (CodeToken[] | undefined)[]>([]);
  useEffect(() => {
    let isShown = true;
    highlighter.whenIdle(() => isShown && setColours(colourRows(rows, diff.path)));
    return () => {
      isShown = false;
    };
  }, [rows, diff.path, highlighter]);
  return (
    <div class="diff scrolls-aside" dir="ltr" tabIndex={0} role="group" aria-label={`Changes to ${diff.path}`}>
      <table>
        <tbody>
          {rows.map((row, at) => (
            <Row key={at} row={row} tokens={colours[at]} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row, tokens }: { row: DiffRow; tokens: CodeToken[] | undefined }) {
  if (row.kind === 'gap') {
    return (
      <tr class="gap">
        <td class="number">⋯</td>
        <td class="sign" />
        <td class="code" />
      </tr>
    );
  }
  return (
    <tr class={SIGNS[row.sign]}>
      <td class="number">{row.number}</td>
      <td class="sign">{row.sign === '-' ? '−' : row.sign}</td>
      <td class="code">
        {tokens
          ? tokens.map(({ text, scope }, at) =>
              scope === '' ? (
                text
              ) : (
                <span key={at} class={scope}>
                  {text}
                </span>
              ),
            )
          : row.text}
      </td>
    </tr>
  );
}
