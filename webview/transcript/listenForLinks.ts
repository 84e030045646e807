import { type Disposable, onDispose } from '../../src/base/disposable';
import type { EditorActions } from '../actions/editorActions';

const COPIED_MS = 1_500;

/** Clicks on links and copy buttons in messages, which are plain nodes without handlers of their own. */
export function listenForLinks(scroller: HTMLElement, editor: EditorActions): Disposable {
  const onClick = (event: MouseEvent) => {
    if (!(event.target instanceof Element)) return;
    const link = event.target.closest('a[href]');
    const copy = event.target.closest('button[data-copy]');
    if (link instanceof HTMLAnchorElement) {
      event.preventDefault();
      follow(link, editor);
    } else if (copy) {
      void copyCode(copy, editor);
    }
  };
  scroller.addEventListener('click', onClick);
  scroller.addEventListener('auxclick', onClick);
  return onDispose(() => {
    scroller.removeEventListener('click', onClick);
    scroller.removeEventListener('auxclick', onClick);
  });
}

function follow(link: HTMLAnchorElement, editor: EditorActions): void {
  const { path, line } = link.dataset;
  if (path === undefined) editor.openLink(link.href);
  else if (line === undefined) editor.openFile(path);
  else editor.openFile(path, Number(line));
}

async function copyCode(button: Element, editor: EditorActions): Promise<void> {
  const code = button.closest('.code-block')?.querySelector('code')?.textContent ?? '';
  const icon = button.firstElementChild;
  if (!(await editor.copy(code)) || !icon) return;
  icon.className = 'codicon codicon-check';
  setTimeout(() => (icon.className = 'codicon codicon-copy'), COPIED_MS);
}
