import { TRANSLATIONS } from '../../protocol/panelDocument';

/** Escapes text for HTML, including attribute values in quotes. */
export function inMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/**
 * The element that passes a translation bundle to a document's scripts, as data that browsers do not execute. Empty for English,
 * which has no bundle.
 */
export function translationsBlock(bundle: unknown): string {
  if (bundle === undefined) return '';
  // Escaped so that no translation can close the element.
  const json = JSON.stringify(bundle).replaceAll('<', '\\u003c');
  return `<script type="application/json" data-role="${TRANSLATIONS}">${json}</script>`;
}
