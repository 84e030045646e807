import { TRANSLATIONS } from '../../protocol/translations';

/** The part of a document that hands a bundle of translations to its scripts: data, which no browser runs. English has none. */
export function translationsBlock(bundle: unknown): string {
  if (bundle === undefined) return '';
  // Whatever a translation says, the element ends where we end it.
  const json = JSON.stringify(bundle).replaceAll('<', '\\u003c');
  return `<script type="application/json" data-role="${TRANSLATIONS}">${json}</script>`;
}
