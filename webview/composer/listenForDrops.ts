import { type Disposable, onDispose } from '../../src/base/disposable';
import type { AttachActions } from '../actions/attachActions';
import { focusComposer } from '../ui/focus';

/** Data types that the editor's explorer and tabs use for dragged items. */
const URI_TYPES = ['application/vnd.code.uri-list', 'text/uri-list'];

/** Attaches editor files and images dropped anywhere on the panel to the message. */
export function listenForDrops(attach: AttachActions): Disposable {
  const over = (event: DragEvent) => {
    if (!event.dataTransfer || !isTaken(event.dataTransfer)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    document.body.classList.add('dropping');
  };
  const leave = (event: DragEvent) => {
    if (event.relatedTarget === null) document.body.classList.remove('dropping');
  };
  const drop = (event: DragEvent) => {
    document.body.classList.remove('dropping');
    if (!event.dataTransfer || !isTaken(event.dataTransfer)) return;
    event.preventDefault();
    const uris = urisOf(event.dataTransfer);
    if (uris.length > 0) void attach.addUris(uris);
    else void attach.addFiles([...event.dataTransfer.files]);
    focusComposer();
  };
  document.addEventListener('dragover', over);
  document.addEventListener('dragleave', leave);
  document.addEventListener('drop', drop);
  return onDispose(() => {
    document.removeEventListener('dragover', over);
    document.removeEventListener('dragleave', leave);
    document.removeEventListener('drop', drop);
  });
}

function isTaken({ types }: DataTransfer): boolean {
  return types.includes('Files') || URI_TYPES.some((type) => types.includes(type));
}

function urisOf(data: DataTransfer): string[] {
  const text = URI_TYPES.map((type) => data.getData(type)).find((one) => one !== '') ?? '';
  return text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
}
