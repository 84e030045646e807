import { shownLanguage } from './shownLanguage';

/** Formats a time in the local time zone and the display language, with or without the date. */
export function dateWords(time: number | string, parts: 'day-and-time' | 'time'): string {
  const day = parts === 'time' ? {} : ({ dateStyle: 'medium' } as const);
  return new Intl.DateTimeFormat(shownLanguage(), { ...day, timeStyle: 'short' }).format(new Date(time));
}
