import { t } from '../../base/l10n';
import { safeDialog } from '../../base/shown/shownLines';
import { safeLine } from '../../base/shown/safeText';
import { type KnownServer, startText } from '../../engine';

/** How much of what was allowed before is shown along with the new request. */
const MAX_BEFORE = 400;

/**
 * The dialog text of a server that needs the user's consent: everything it starts, in a single line that cannot pass for Cairn's
 * own text. Undefined if that does not fit in a dialog, because nobody should allow what they cannot read in full.
 */
export function consentDetail(server: KnownServer): string | undefined {
  const { consent } = server;
  const start = startText(server).replaceAll('\n', '⏎');
  const before = consent.kind === 'changed' ? safeLine(consent.before, MAX_BEFORE, 'exact') : undefined;
  const detail = before === undefined ? start : `${start}\n\n${t('You allowed before:')}\n${before}`;
  return safeDialog(detail, 'exact').isWhole ? detail : undefined;
}
