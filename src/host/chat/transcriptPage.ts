import { t } from '../../base/l10n';
import { safeLabel } from '../../base/shown/safeText';
import { type AgentSession, exportSession } from '../../engine';
import type { Command, Host } from '../host';
import { TextPages } from '../shown/textPages';

const pages = new TextPages('cairn-transcript', true);

/** Opens the current session as a read-only document, where the editor's find, folding, and copy work. */
export function openTranscript({ currentChat, config }: Host): Command {
  return {
    async run() {
      const { session } = await currentChat();
      const page = { path: pathOf(session), query: session.id, text: exportSession(session, 'markdown') };
      await pages.show(config, page, { preview: false });
    },
  };
}

/** The tab is named after the path, so the title must be a single path segment. */
function pathOf({ metadata }: AgentSession): string {
  const title = safeLabel(metadata.title, 60).replaceAll(/[\\/:]+/g, ' ');
  return `/${title.trim() || t('Transcript')}.md`;
}
