import { selectionItem } from '../../context/contextItems';
import type { Host } from '../../host';
import type { Command } from '../command';
import { activeEditor } from './activeEditor';

/** Sends the selection, as it is when the message is sent, along with the message that is being typed. */
export function addSelection({ panels }: Host): Command {
  return {
    async run() {
      const item = selectionItem(activeEditor());
      await panels.withPanel((controller) => controller.addItems([item]));
    },
  };
}
