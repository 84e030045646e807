import { mention, quote } from '../../editor/mention';
import type { Host } from '../../host';
import type { Command } from '../command';
import { activeEditor } from './activeEditor';
import { sendToChat } from './sendToChat';

/** Asks what the selection does; what the file does when nothing is selected. */
export function explain(host: Host): Command {
  return {
    async run() {
      const { document, selection } = activeEditor();
      const what = selection.isEmpty ? mention(document.uri) : `\n\n${quote(document, selection)}`;
      await sendToChat(host, `Explain this: ${what}`);
    },
  };
}
