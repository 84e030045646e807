import { type Disposable, onDispose } from '../../src/base/disposable';
import { focusComposer } from '../ui/focus';
import type { TranscriptList } from '../transcript/transcriptList';

/**
 * Keeps the keyboard at work: when what holds the focus is taken out of the chat, the next thing that waits gets it, else the
 * message box. Nothing else moves the focus by itself, and never onto a button.
 */
export function keepFocus(transcript: TranscriptList): Disposable {
  let last: { element: Element; wasInTranscript: boolean } | undefined;
  const isLost = () => document.activeElement === null || document.activeElement === document.body;
  const onFocusIn = ({ target }: FocusEvent) => {
    const element = target instanceof Element && target.closest('.chat') ? target : undefined;
    last = element && { element, wasInTranscript: transcript.element.contains(element) };
  };
  const restore = () => {
    if (!last || last.element.isConnected || !isLost() || !document.hasFocus()) return;
    const { wasInTranscript } = last;
    last = undefined;
    if (!wasInTranscript || !transcript.goToWaiting()) focusComposer();
  };
  const onWindowFocus = () => isLost() && focusComposer();
  const changes = new MutationObserver(restore);
  changes.observe(document.body, { childList: true, subtree: true });
  document.addEventListener('focusin', onFocusIn);
  window.addEventListener('focus', onWindowFocus);
  return onDispose(() => {
    changes.disconnect();
    document.removeEventListener('focusin', onFocusIn);
    window.removeEventListener('focus', onWindowFocus);
  });
}
