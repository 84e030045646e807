import { setTranslations } from '../../src/base/l10n';
import { readTranslations, TRANSLATIONS } from '../../src/protocol/panelDocument';

/** Applies the translations in the document, if any, to everything shown from now on. */
export function takeTranslations(): void {
  const json = document.querySelector(`[data-role=${TRANSLATIONS}]`)?.textContent;
  if (json) setTranslations(readTranslations(parsed(json)));
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // English is complete without translations.
    return undefined;
  }
}
