import { isRecord } from '../base/isRecord';
import { t } from '../base/l10n';

/** The message box that the panel's document has before the panel's code: the panel's own box goes on with what is typed there. */
export const EARLY_BOX = 'early-message';

/** What an empty message box says. */
export const messageHint = (): string => t('Ask Cairn (@ for context, / for commands)');

/** On the body of the panel's document while it stands in the view, whose title has the buttons that a tab's header has itself. */
export const IN_VIEW = 'data-in-view';

/** Of the element with which a document hands the translations to its scripts. */
export const TRANSLATIONS = 'translations';

/**
 * A bundle of translations as `setTranslations` takes it. Whatever is no text counts as missing and does not take the others with
 * it; of a bundle that is broken as a whole nothing is left. By hand: a schema for it would bring 12 KiB to the panel.
 */
export function readTranslations(bundle: unknown): ReadonlyMap<string, string> | undefined {
  if (!isRecord(bundle)) return undefined;
  const found = new Map<string, string>();
  for (const [sentence, words] of Object.entries(bundle)) {
    if (typeof words === 'string' && words !== '') found.set(sentence, words);
  }
  return found;
}
