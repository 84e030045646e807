import { type Disposable, onDispose } from '../../src/base/disposable';
import type { EditorActions } from '../actions/editorActions';

const COPIED_MS = 1_500;

/** Handles clicks on links and code buttons in messages, which are plain nodes without handlers. */
export function listenForLinks(scroller: HTMLElement, editor: EditorActions): Disposable {
  const onClick = (event: MouseEvent) => {
    if (!(event.target instanceof Element)) return;
    const link = event.target.closest('a[href]');
    const button = event.target.closest('button[data-code]');
    if (link instanceof HTMLAnchorElement) {
      event.preventDefault();
      follow(link, editor);
    } else if (button instanceof HTMLElement) {
      actOnCode(button, editor);
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

function actOnCode(button: HTMLElement, editor: EditorActions): void {
  const code = button.closest('.code-block')?.querySelector('code')?.textContent ?? '';
  switch (button.dataset['code']) {
    case 'insert':
      return editor.insertCode(code);
    case 'apply':
      return editor.applyCode(code, button.dataset['path']);
    case 'run':
      return editor.runCode(code);
    default:
      void copyCode(button, code, editor);
  }
}

async function copyCode(button: Element, code: string, editor: EditorActions): Promise<void> {
  const icon = button.firstElementChild;
  if (!(await editor.copy(code)) || !icon) return;
  icon.className = 'codicon codicon-check';
  setTimeout(() => (icon.className = 'codicon codicon-copy'), COPIED_MS);
}
