import { safeLine } from './safeText';

/** The syntax that the editor renders as an icon in list and status bar labels. */
const ICON = /\$\((?=[\w-]+(?:~[\w-]+)?\))/g;

/** Returns untrusted text for such a label: one safe line, in which nothing becomes an icon. */
export function safeLabel(text: string, max = 200): string {
  return safeLine(text, max).replace(ICON, '\\$(');
}

/** A row of an editor list: its text may be untrusted, its icon is Cairn's. */
export interface Row {
  label: string;
  description?: string;
  detail?: string;
  /** The codicon before the label. */
  icon?: string;
}

/** Returns the row made safe to display: hidden characters in its text are visible, and nothing becomes an icon. */
export function safeRow<T extends Row>(row: T): T {
  const { icon, label, description, detail } = row;
  return {
    ...row,
    label: `${icon === undefined ? '' : `$(${icon}) `}${safeLabel(label)}`,
    ...(description !== undefined && { description: safeLabel(description) }),
    ...(detail !== undefined && { detail: safeLabel(detail, MAX_DETAIL) }),
  };
}

const MAX_DETAIL = 400;

/** Returns untrusted text for an editor notification: one safe line, in which nothing becomes a link. */
export function safeNotice(text: string, max = 300): string {
  return safeLine(text, max).replaceAll('](', '] (');
}

/** Returns an untrusted name as a document name, which the editor shows as the title of its tab. */
export function safeFileName(name: string): string {
  return safeLine(name, 100, 'exact').replace(/[\\/]/g, ' ');
}
