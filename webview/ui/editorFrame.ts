import { type Disposable, onDispose } from '../../src/base/disposable';

const LOOK_MS = 100;
/** The editor takes far less time from focusing its frame to focusing the panel, even on a busy machine. */
const MOST_LOOKS = 50;

/** The frame that the editor puts around the panel. Messages of the host come from it. */
let editorFrame: Window | undefined;

export function findEditorFrame(): Disposable {
  const look = ({ source }: MessageEvent): void => {
    if (source instanceof MessagePort || source instanceof ServiceWorker) return;
    if (source && source !== window) editorFrame = source;
  };
  window.addEventListener('message', look);
  return onDispose(() => window.removeEventListener('message', look));
}

/**
 * Calls `act` if the frame around the panel gets the focus and keeps it from the panel. VS Code focuses its frame first and asks
 * it 50 ms later to pass the focus on, but not if the frame's report that it had lost the focus arrives in between: it is sent up
 * to 250 ms after the loss, so a list that was open only briefly can prevent the second step.
 */
export function onceFrameKeepsFocus(act: () => void, signal: AbortSignal): void {
  let looks = 0;
  let wasKept = false;
  const look = (): void => {
    looks += 1;
    const isKept = hasEditorFrameFocus();
    if (isKept && wasKept) act();
    wasKept = isKept;
    if (looks >= MOST_LOOKS) clearInterval(timer);
  };
  const timer = setInterval(look, LOOK_MS);
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}

function hasEditorFrameFocus(): boolean {
  try {
    return editorFrame?.document.hasFocus() === true;
  } catch {
    // A frame of another origin, which the panel may not look into.
    return false;
  }
}
