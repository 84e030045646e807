/** A text as it stands in the markup of a document of ours, also within quotation marks. */
export function inMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
