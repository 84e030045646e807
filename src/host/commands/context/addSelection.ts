import type { Host } from '../../host';
import { mention, quote } from '../../editor/mention';
import type { Command } from '../command';
import { activeEditor } from './activeEditor';

/** The selection into the composer: its place, and the code itself where the file on disk does not have it. */
export function addSelection({ panels }: Host): Command {
  return {
    name: 'addSelection',
    async run() {
      const { document, selection } = activeEditor();
      const onDisk = document.uri.scheme === 'file' && !document.isDirty;
      const text = onDisk ? `${mention(document.uri, selection)} ` : quote(document, selection);
      await panels.withPanel((controller) => controller.insertText(text));
    },
  };
}
