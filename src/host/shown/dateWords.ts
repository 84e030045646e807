import { shownLanguage } from './shownLanguage';

/** A moment of here, as the language of our words writes it: with its day, or the time alone. */
export function dateWords(time: number | string, parts: 'day-and-time' | 'time'): string {
  const day = parts === 'time' ? {} : ({ dateStyle: 'medium' } as const);
  return new Intl.DateTimeFormat(shownLanguage(), { ...day, timeStyle: 'short' }).format(new Date(time));
}
