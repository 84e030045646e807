import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../src/base/l10n';
import type { DrawnBox } from '../../src/protocol/graphDrawing';
import type { GraphView } from '../../src/protocol/graphPage';
import type { PageAction } from '../../src/protocol/pages';
import { boxAfter } from './graphMoves';
import { GraphSvg } from './GraphSvg';
import type { GraphWords } from './graphWords';
import type { SeenFirst } from './seenFirst';

const SMALLEST = 0.1;
const LARGEST = 3;
const STEP = 1.25;
/** The minimum initial scale of a large graph, so that its text is readable. */
const READABLE = 0.6;
const ABOVE_START = 16;

interface GraphCanvasProps {
  view: GraphView;
  words: GraphWords;
  seen: SeenFirst;
  isHidden: boolean;
  act: (action: PageAction) => void;
}

/** The drawing, which can be zoomed with buttons, Ctrl and the wheel, and keys. */
export function GraphCanvas({ view, words, seen, isHidden, act }: GraphCanvasProps) {
  const { drawing, name, current } = view;
  const room = useRef<HTMLDivElement>(null);
  const { scale, hasRoom, zoom, fit } = useZoom(room, drawing?.width ?? 0, drawing?.height ?? 0);
  useStartInView(room.current, hasRoom ? view : undefined, scale);
  const [focused, setFocused] = useState<string>();
  const press = useCallback(
    ({ id, members }: DrawnBox) => act(members ? { kind: 'toggle-group', group: id } : { kind: 'show-node', node: id }),
    [act],
  );
  if (!drawing) return null;
  const known = drawing.boxes.find(({ id }) => id === focused) ?? drawing.boxes[0];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const box = known && drawing.boxes.find(({ id }) => id === known.id);
    if (event.key === '+' || event.key === '=') zoom(STEP);
    else if (event.key === '-') zoom(1 / STEP);
    else if (event.key === '0') fit();
    else if ((event.key === 'Enter' || event.key === ' ') && box) press(box);
    else {
      const next = box && boxAfter(drawing, box.id, event.key);
      if (next === undefined) return;
      setFocused(next);
      focusBox(room.current, next);
    }
    event.preventDefault();
  };
  return (
    <div class="graph-canvas" hidden={isHidden}>
      <ZoomTools zoom={zoom} fit={fit} />
      <div class="graph-room" ref={room} onKeyDown={onKeyDown}>
        <GraphSvg
          drawing={drawing}
          words={words}
          seen={seen}
          isHidden={isHidden}
          name={name}
          scale={scale}
          focused={known?.id}
          current={current}
          onFocus={setFocused}
          onPress={press}
        />
      </div>
    </div>
  );
}

function ZoomTools({ zoom, fit }: { zoom: (by: number) => void; fit: () => void }) {
  return (
    <div class="graph-tools" role="group" aria-label={t('Zoom')}>
      <button
        type="button"
        class="page-button"
        aria-label={t('Zoom out')}
        title={t('Zoom out (-)')}
        onClick={() => zoom(1 / STEP)}
      >
        −
      </button>
      <button
        type="button"
        class="page-button"
        aria-label={t('Zoom in')}
        title={t('Zoom in (+)')}
        onClick={() => zoom(STEP)}
      >
        +
      </button>
      <button type="button" class="page-button" title={t('Show all of it (0)')} onClick={fit}>
        {t('Fit')}
      </button>
    </div>
  );
}

function focusBox(room: HTMLElement | null, id: string): void {
  const boxes = [...(room?.querySelectorAll<SVGGElement>('[data-box]') ?? [])];
  boxes.find((box) => box.dataset['box'] === id)?.focus();
}

/** Scrolls a drawing larger than the view to the start node, because its corner may be empty. Runs once, when both are available. */
function useStartInView(room: HTMLElement | null, view: GraphView | undefined, scale: number): void {
  const isThere = room !== null && view !== undefined;
  useLayoutEffect(() => {
    const boxes = view?.drawing?.boxes ?? [];
    const box = boxes.find(({ id, members }) => (members ?? [id]).includes(view?.start ?? '')) ?? boxes[0];
    if (!room || !box) return;
    room.scrollLeft = box.x * scale - room.clientWidth / 2;
    room.scrollTop = (box.y - box.height) * scale - ABOVE_START;
  }, [isThere]);
}

/** Manages the scale. Until the user zooms, it follows the available space. */
function useZoom(room: { readonly current: HTMLElement | null }, width: number, height: number) {
  const [chosen, setChosen] = useState<number>();
  const [size, setSize] = useState({ width: 0, height: 0 });
  const before = useRef(1);
  useEffect(() => {
    const element = room.current;
    if (!element) return undefined;
    const watching = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    watching.observe(element);
    return () => watching.disconnect();
  }, [room, width > 0]);
  const whole = Math.min(1, size.width / Math.max(width, 1), size.height / Math.max(height, 1));
  const first = Math.min(1, Math.max(whole, READABLE));
  const scale = chosen ?? first;
  const zoom = useCallback(
    (by: number) => setChosen((now) => Math.min(LARGEST, Math.max(SMALLEST, (now ?? first) * by))),
    [first],
  );
  useEffect(() => {
    const element = room.current;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / 300));
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [room, zoom, width > 0]);
  // Keeps the center in place.
  useLayoutEffect(() => {
    const element = room.current;
    const ratio = scale / before.current;
    before.current = scale;
    if (!element || ratio === 1) return;
    const [halfWidth, halfHeight] = [element.clientWidth / 2, element.clientHeight / 2];
    element.scrollLeft = (element.scrollLeft + halfWidth) * ratio - halfWidth;
    element.scrollTop = (element.scrollTop + halfHeight) * ratio - halfHeight;
  }, [room, scale]);
  const fit = useCallback(() => setChosen(Math.max(SMALLEST, whole)), [whole]);
  return { scale, hasRoom: size.width > 0 && width > 0, zoom, fit };
}
