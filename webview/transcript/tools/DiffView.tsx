import { Fragment } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { t } from '../../../src/base/l10n';
import { type DiffRow, diffRows } from '../../../src/base/shown/diffRows';
import { safeLine } from '../../../src/base/shown/safeText';
import type { FileDiff } from '../../../src/protocol/chatState';
import type { CodeToken } from '../../markdown/highlightLines';
import type { HighlightLines } from '../../markdown/highlighter';
import { usePanel } from '../../ui/panelContext';
import { EndMark } from '../ask/ShownText';
import { changedWords, type TextRange } from './changedWords';

const SIGNS = { ' ': '', '+': 'added', '-': 'removed' } as const;

/** The parts of a proposed edit that the user excludes. */
export interface PartChoice {
  approvalId: string;
  leftOut: readonly number[];
  choose(part: number, take: boolean): void;
}

/** A small single-column diff, highlighted when idle. With a choice, individual parts can be excluded. */
export function DiffView({ diff, choice }: { diff: FileDiff; choice?: PartChoice }) {
  const { highlighter } = usePanel();
  const { rows, warning } = useMemo(() => diffRows(diff.hunks), [diff]);
  const changed = useMemo(() => changedWords(rows), [rows]);
  const [colours, setColours] = useState<readonly (CodeToken[] | undefined)[]>([]);
  useEffect(() => {
    let isShown = true;
    highlighter.whenIdle((highlight) => isShown && setColours(colourRows(rows, diff.path, highlight)));
    return () => {
      isShown = false;
    };
  }, [rows, diff.path, highlighter]);
  const parts = 1 + Math.max(-1, ...rows.map((row) => partOf(row) ?? -1));
  return (
    <>
      {choice && warning !== null && <p class="unseen-warning">{warning}</p>}
      <div
        class={choice ? 'diff scrolls-aside wraps' : 'diff scrolls-aside'}
        dir="ltr"
        tabIndex={0}
        role="group"
        aria-label={t('Changes to {0}', safeLine(diff.path))}
      >
        <table>
          <tbody>
            {rows.map((row, at) => (
              <Fragment key={at}>
                {choice && parts > 1 && beginsPart(rows, at) && (
                  <PartHead part={partOf(row) ?? 0} of={parts} choice={choice} />
                )}
                <Row
                  row={row}
                  tokens={colours[at]}
                  changed={changed.get(row)}
                  isLeftOut={isIn(choice?.leftOut, partOf(row))}
                />
              </Fragment>
            ))}
          </tbody>
        </table>
        {choice && <EndMark approvalId={choice.approvalId} />}
      </div>
    </>
  );
}

function partOf(row: DiffRow | undefined): number | null {
  return row && row.kind !== 'gap' ? row.part : null;
}

function beginsPart(rows: readonly DiffRow[], at: number): boolean {
  const part = partOf(rows[at]);
  return part !== null && part !== partOf(rows[at - 1]);
}

function isIn(list: readonly number[] | undefined, part: number | null): boolean {
  return part !== null && (list?.includes(part) ?? false);
}

function PartHead({ part, of, choice }: { part: number; of: number; choice: PartChoice }) {
  const isTaken = !choice.leftOut.includes(part);
  return (
    <tr class="part">
      <td colSpan={3}>
        <label class="part-choice">
          <input type="checkbox" checked={isTaken} onChange={() => choice.choose(part, !isTaken)} />
          <span>{t('Keep change {0} of {1}', part + 1, of)}</span>
        </label>
      </td>
    </tr>
  );
}

interface RowProps {
  row: DiffRow;
  tokens: CodeToken[] | undefined;
  changed: readonly TextRange[] | undefined;
  isLeftOut: boolean;
}

function Row({ row, tokens, changed, isLeftOut }: RowProps) {
  if (row.kind === 'gap') {
    return (
      <tr class="gap">
        <td class="number">⋯</td>
        <td class="sign" />
        <td class="code" />
      </tr>
    );
  }
  const sign = row.sign === '-' ? '−' : row.sign;
  if (row.kind === 'blanks') {
    return (
      <tr class={isLeftOut ? `${SIGNS[row.sign]} left-out` : SIGNS[row.sign]}>
        <td class="number">{row.number}</td>
        <td class="sign">{sign}</td>
        <td class="code blank-lines">{t('+{0} lines, all blank', row.count)}</td>
      </tr>
    );
  }
  return (
    <tr class={isLeftOut ? `${SIGNS[row.sign]} left-out` : SIGNS[row.sign]}>
      <td class="number">{row.number}</td>
      <td class="sign">{sign}</td>
      <td class="code">
        {cutAt(changed ?? [], tokens ?? [{ text: row.text, scope: '' }]).map(({ text, scope }, at) =>
          scope === '' ? (
            text
          ) : (
            <span key={at} class={scope}>
              {text}
            </span>
          ),
        )}
      </td>
    </tr>
  );
}

/** Splits the tokens of a line and adds a class to those within a range. */
function cutAt(ranges: readonly TextRange[], tokens: readonly CodeToken[]): readonly CodeToken[] {
  if (ranges.length === 0) return tokens;
  let at = 0;
  return tokens.flatMap(({ text, scope }) => {
    const [start, end] = [at, (at += text.length)];
    const cuts = ranges.flatMap((range) => [range.start, range.end]).filter((cut) => cut > start && cut < end);
    return [start, ...cuts].map((from, nth) => {
      const isChanged = ranges.some((range) => from >= range.start && from < range.end);
      const piece = text.slice(from - start, (cuts[nth] ?? end) - start);
      return { text: piece, scope: isChanged ? `${scope} changed-word`.trim() : scope };
    });
  });
}

/** Returns the tokens of each row. Each side is highlighted as a whole, so that multi-line comments work. */
function colourRows(rows: readonly DiffRow[], path: string, highlight: HighlightLines): (CodeToken[] | undefined)[] {
  const language = /\.(\w+)$/.exec(path)?.[1] ?? '';
  const colour = (code: string) => highlight(code, language);
  const before = colourSide(rows, '+', colour);
  const after = colourSide(rows, '-', colour);
  return rows.map((row, at) => (row.kind !== 'gap' && row.sign === '-' ? before[at] : after[at]));
}

/** Highlights the rows without those of the other side, and maps the tokens back to them. */
function colourSide(
  rows: readonly DiffRow[],
  other: '+' | '-',
  colour: (code: string) => CodeToken[][] | null,
): (CodeToken[] | undefined)[] {
  const isOurs = (row: DiffRow) => row.kind !== 'gap' && row.sign !== other;
  const code = rows.filter(isOurs).map((row) => (row.kind === 'line' ? row.text : ''));
  const lines = colour(code.join('\n'));
  let next = 0;
  return rows.map((row) => (isOurs(row) ? lines?.[next++] : undefined));
}

/** Shows the total of several changes. */
export function DiffSum({ of }: { of: readonly { added: number; removed: number }[] }) {
  const sum = (key: 'added' | 'removed') => of.reduce((total, one) => total + one[key], 0);
  return <DiffCount added={sum('added')} removed={sum('removed')} />;
}

/** Shows "+6 −2", distinguished by signs as well as by color. Zeros are left out. */
export function DiffCount({ added, removed }: { added: number; removed: number }) {
  return (
    <span class="diff-count">
      {added > 0 && (
        <span class="added" aria-label={t('{0} added', added)} role="img">
          +{added}
        </span>
      )}
      {removed > 0 && (
        <span class="removed" aria-label={t('{0} removed', removed)} role="img">
          −{removed}
        </span>
      )}
    </span>
  );
}
