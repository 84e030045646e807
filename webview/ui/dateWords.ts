/**
 * Formats a local time in the page's language. That is the editor's language only if Cairn is translated into it, so that "Today"
 * and weekday names are in the same language.
 */
export function dateWords(time: number | string | Date, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(pageLanguage(), options).format(new Date(time));
}

export function pageLanguage(): string {
  return document.documentElement.lang || 'en';
}
