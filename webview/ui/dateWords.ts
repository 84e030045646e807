/**
 * A moment of here, as the language of the page writes it: that is the editor's where our words were translated into it, so that
 * “Today” and a name of a day are of one language.
 */
export function dateWords(time: number | string | Date, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(pageLanguage(), options).format(new Date(time));
}

export function pageLanguage(): string {
  return document.documentElement.lang || 'en';
}
