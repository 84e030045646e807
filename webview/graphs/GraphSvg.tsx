import { memo } from 'preact/compat';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { t } from '../../src/base/l10n';
import { safeLine } from '../../src/base/shown/safeText';
import type { DrawnBox, DrawnLine, GraphDrawing } from '../../src/protocol/graphDrawing';
import { clipText } from './clipText';
import { DrawnWhenSeen, type TakeElement } from './DrawnWhenSeen';
import { type BoxWords, type GraphWords, SIGNS } from './graphWords';
import { arrowHead, linePath } from './linePath';
import type { SeenFirst } from './seenFirst';

/** Width of a letter in the two font sizes, slightly more than most need. */
const LETTER = 7.4;
const SMALL_LETTER = 6.1;
const LONGEST_LABEL = 28;

interface GraphSvgProps {
  drawing: GraphDrawing;
  words: GraphWords;
  seen: SeenFirst;
  isHidden: boolean;
  name: string;
  scale: number;
  /** The box in the tab order. */
  focused: string | undefined;
  /** The node at the editor's cursor. */
  current: string | null;
  onFocus: (id: string) => void;
  onPress: (box: DrawnBox) => void;
}

/** A graph as laid out. */
export function GraphSvg(props: GraphSvgProps) {
  const { drawing, words, seen, isHidden, name, scale, focused, current, onFocus, onPress } = props;
  const { width, height, boxes, lines } = drawing;
  const latest = useRef(words);
  latest.current = words;
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  // Unchanged boxes are not compared one by one.
  const parts = useMemo(
    () =>
      boxes.map((box) => {
        const isFocused = box.id === focused;
        const isCurrent = current !== null && (box.members ?? [box.id]).includes(current);
        const same = { box, isFocused, isCurrent, onFocus, onPress };
        return (
          <DrawnWhenSeen
            key={box.id}
            seen={seen}
            urgent={`${isFocused} ${isCurrent}`}
            draw={(take) => <Box {...same} {...latest.current.ofBox(box)} take={take} />}
          />
        );
      }),
    [boxes, seen, focused, current, onFocus, onPress],
  );
  useLayoutEffect(() => {
    seen.hide(isHidden);
    seen.change(words);
  }, [seen, words, isHidden]);
  return (
    <svg
      class="graph-svg"
      role="group"
      aria-label={t('Graph {0}', safeLine(name, 100))}
      viewBox={`0 0 ${width} ${height}`}
      {...size}
    >
      <Lines lines={lines} taken={words.taken(drawing).join(' ')} />
      {parts}
    </svg>
  );
}

const Lines = memo(function Lines({ lines, taken }: { lines: readonly DrawnLine[]; taken: string }) {
  const all = new Set(taken.split(' '));
  return (
    <g aria-hidden="true">
      {lines.map((line, at) => (
        <Line key={at} line={line} isTaken={all.has(String(at))} />
      ))}
    </g>
  );
});

const Line = memo(function Line({ line, isTaken }: { line: DrawnLine; isTaken: boolean }) {
  const { kind, isBack, points, label, labelAt } = line;
  return (
    <g class={`graph-line ${kind}${isBack ? ' back' : ''}${isTaken ? ' taken' : ''}`}>
      <path d={linePath(points)} />
      <polygon points={arrowHead(points)} />
      {label !== undefined && labelAt && <Label text={clipText(safeLine(label, 100), LONGEST_LABEL)} {...labelAt} />}
    </g>
  );
});

/** The label of a line, with a background to hide the line. */
function Label({ text, x, y }: { text: string; x: number; y: number }) {
  const width = text.length * SMALL_LETTER + 6;
  return (
    <>
      <rect x={x - width / 2} y={y - 8} width={width} height={16} />
      <text x={x} y={y + 4}>
        {text}
      </text>
    </>
  );
}

interface BoxProps extends BoxWords {
  take: TakeElement;
  box: DrawnBox;
  isFocused: boolean;
  isCurrent: boolean;
  onFocus: (id: string) => void;
  onPress: (box: DrawnBox) => void;
}

const Box = memo(function Box({
  take,
  box,
  title,
  line,
  mark,
  label,
  isFocused,
  isCurrent,
  onFocus,
  onPress,
}: BoxProps) {
  const { id, x, y, width, height } = box;
  const left = x - width / 2;
  const top = y - height / 2;
  const room = width - 24;
  return (
    <g
      ref={take}
      class={`graph-box ${mark}${isCurrent ? ' current' : ''}`}
      role="button"
      tabIndex={isFocused ? 0 : -1}
      aria-label={label}
      aria-current={isCurrent ? 'location' : undefined}
      data-box={id}
      onFocus={() => onFocus(id)}
      onClick={() => onPress(box)}
    >
      <title>{label}</title>
      {box.members && <rect class="graph-frame" x={left + 4} y={top + 4} width={width} height={height} rx={4} />}
      <rect class="graph-frame" x={left} y={top} width={width} height={height} rx={4} />
      <text class="graph-name" x={left + 12} y={top + 19}>
        {clipText(title, Math.floor(room / LETTER))}
      </text>
      <text class="graph-about" x={left + 12} y={top + 35}>
        {clipText(SIGNS[mark] + line, Math.floor(room / SMALL_LETTER))}
      </text>
    </g>
  );
});
