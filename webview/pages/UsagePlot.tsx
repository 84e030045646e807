import { t } from '../../src/base/l10n';
import { costWords } from '../../src/protocol/costWords';
import type { UsageView } from '../../src/protocol/pages';
import { shortNumber } from '../ui/words';

const WIDTH = 720;
const HEIGHT = 200;
/** Space for the axis labels on the left and the days below. */
const LEFT = 56;
const BELOW = 22;
const GAP = 0.2;

/** A stacked bar for each day. The tables below contain the same values. */
export function UsagePlot({ view: { plot, series, filter } }: { view: UsageView }) {
  const words = (value: number) => (filter.measure === 'cost' ? costWords(value) : shortNumber(Math.round(value)));
  const most = Math.max(...plot.map(({ values }) => sumOf(values)));
  const top = niceAbove(most);
  const step = (WIDTH - LEFT) / plot.length;
  const y = (value: number) => HEIGHT - (top === 0 ? 0 : (value / top) * HEIGHT);
  const every = Math.ceil(plot.length / 8);
  return (
    <figure class="usage-plot">
      <svg viewBox={`0 -8 ${WIDTH} ${HEIGHT + BELOW + 8}`} role="img" aria-label={plotWords(plot, words)}>
        {[0, top / 2, top].map((value) => (
          <g key={value}>
            <line class="usage-line" x1={LEFT} x2={WIDTH} y1={y(value)} y2={y(value)} />
            <text class="usage-axis" x={LEFT - 6} y={y(value) + 4} text-anchor="end">
              {filter.measure === 'cost' ? axisCost(value) : words(value)}
            </text>
          </g>
        ))}
        {plot.map((one, at) => (
          <DayBar key={one.day} {...one} step={step} at={at} y={y} words={words} isNamed={at % every === 0} />
        ))}
      </svg>
      <figcaption>
        <ul class="usage-legend">
          {series.map((name, at) => (
            <li key={name}>
              <span class={`usage-key usage-color-${at}`} aria-hidden="true" />
              {name}
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}

type Plot = UsageView['plot'];

interface DayBarProps {
  day: string;
  values: readonly number[];
  /** Width of a day. */
  step: number;
  at: number;
  y: (value: number) => number;
  words: (value: number) => string;
  isNamed: boolean;
}

function DayBar({ day, values, step, at, y, words, isNamed }: DayBarProps) {
  const x = LEFT + at * step;
  return (
    <g>
      <title>{`${day}: ${words(sumOf(values))}`}</title>
      <rect class="usage-day" x={x} y={0} width={step} height={HEIGHT} />
      {values.map((_, part) => {
        const top = y(sumOf(values.slice(0, part + 1)));
        const height = y(sumOf(values.slice(0, part))) - top;
        const box = { x: x + (GAP / 2) * step, y: top, width: step * (1 - GAP), height };
        return height > 0 && <rect key={part} class={`usage-part usage-color-${part}`} {...box} />;
      })}
      {isNamed && (
        <text class="usage-axis" x={x + step / 2} y={HEIGHT + 16} text-anchor="middle">
          {day.slice(5)}
        </text>
      )}
    </g>
  );
}

/** Describes the plot to screen readers: the number of days, and the highest. */
function plotWords(plot: Plot, words: (value: number) => string): string {
  const [first] = plot;
  const greatest = [...plot].sort((one, other) => sumOf(other.values) - sumOf(one.values))[0];
  if (!first || !greatest) return '';
  return t(
    'Usage on each of {0} days since {1}; most on {2}: {3}',
    plot.length,
    first.day,
    greatest.day,
    words(sumOf(greatest.values)),
  );
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Below a cent, "less than $0.01" would be cut off, and the same on every line. */
function axisCost(usd: number): string {
  return usd > 0 && usd < 0.02 ? `$${Number(usd.toPrecision(2))}` : costWords(usd);
}

/** Rounds up to 1, 2 or 5 times a power of ten. */
function niceAbove(value: number): number {
  if (value <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((one) => one * power >= value) ?? 10) * power;
}
