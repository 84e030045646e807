import { t } from '../../base/l10n';
import { safeDialog } from '../../base/shown/shownLines';
import { safeLine } from '../../base/shown/safeText';
import { type KnownServer, startText } from '../../engine';

/** Of what was allowed before, so much is shown beside what is asked for now. */
const MAX_BEFORE = 400;

/**
 * What a dialog shows of a server that a person is asked about: all that it starts, in one line, which cannot pass for words of ours.
 * Undefined where that does not fit a dialog: nobody allows what they cannot read to its end.
 */
export function consentDetail(server: KnownServer): string | undefined {
  const { consent } = server;
  const start = startText(server).replaceAll('\n', '⏎');
  const before = consent.kind === 'changed' ? safeLine(consent.before, MAX_BEFORE, 'exact') : undefined;
  const detail = before === undefined ? start : `${start}\n\n${t('You allowed before:')}\n${before}`;
  return safeDialog(detail, 'exact').isWhole ? detail : undefined;
}
