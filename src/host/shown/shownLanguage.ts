import * as vscode from 'vscode';

/**
 * The language of Cairn's own text: the editor's if there is a translation, otherwise English. Screen readers rely on it for
 * pronunciation.
 */
export function shownLanguage(): string {
  return vscode.l10n.bundle ? vscode.env.language : 'en';
}

/** Formats a time in the local time zone and the display language, with or without the date. */
export function dateWords(time: number | string, parts: 'day-and-time' | 'time'): string {
  const day = parts === 'time' ? {} : ({ dateStyle: 'medium' } as const);
  return new Intl.DateTimeFormat(shownLanguage(), { ...day, timeStyle: 'short' }).format(new Date(time));
}
