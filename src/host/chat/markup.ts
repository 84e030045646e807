import { TRANSLATIONS } from '../../protocol/panelDocument';

/** A text as it stands in the markup of a document of ours, also within quotation marks. */
export function inMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** The part of a document that hands a bundle of translations to its scripts: data, which no browser runs. English has none. */
export function translationsBlock(bundle: unknown): string {
  if (bundle === undefined) return '';
  // Whatever a translation says, the element ends where we end it.
  const json = JSON.stringify(bundle).replaceAll('<', '\\u003c');
  return `<script type="application/json" data-role="${TRANSLATIONS}">${json}</script>`;
}
