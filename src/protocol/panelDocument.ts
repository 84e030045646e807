import { isRecord } from '../base/isRecord';
import { t } from '../base/l10n';

/** The message box in the panel's document before the panel's code has loaded. The panel's own box takes over what was typed in it. */
export const EARLY_BOX = 'early-message';

/** A panel in which the whole placeholder of the message box does not fit. */
export const NARROW_PANEL = '(max-width: 360px)';

/** Returns the placeholder of an empty message box. */
export const messageHint = (isNarrow: boolean): string =>
  isNarrow ? t('Ask Cairn (type @ or /)') : t('Ask Cairn (@ for context, / for commands)');

/** Set on the body of the panel's document while it is in the view, whose title bar has the buttons that a tab shows in its own header. */
export const IN_VIEW = 'data-in-view';

/** Id of the element through which a document passes translations to its scripts. */
export const TRANSLATIONS = 'translations';

/**
 * Parses a bundle of translations for `setTranslations`. Values that are not text are ignored individually; returns undefined if
 * the bundle itself is invalid. Handwritten, because a schema would add 12 KiB to the panel.
 */
export function readTranslations(bundle: unknown): ReadonlyMap<string, string> | undefined {
  if (!isRecord(bundle)) return undefined;
  const found = new Map<string, string>();
  for (const [sentence, words] of Object.entries(bundle)) {
    if (typeof words === 'string' && words !== '') found.set(sentence, words);
  }
  return found;
}
