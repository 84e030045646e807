import { safeLine } from './safeText';

/** What the editor draws as an icon in the labels of lists and of the status bar. */
const ICON = /\$\((?=[\w-]+(?:~[\w-]+)?\))/g;

/** A text that is not ours as part of such a label: one safe line, in which nothing becomes an icon. */
export function safeLabel(text: string, max = 200): string {
  return safeLine(text, max).replace(ICON, '\\$(');
}

/** A row of a list of the editor: its words may be anybody's, its icon is ours. */
export interface Row {
  label: string;
  description?: string;
  detail?: string;
  /** The codicon before the label. */
  icon?: string;
}

/** The row as it can be shown: in its words everything is seen and nothing becomes an icon. */
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

/** A text that is not ours as part of a notification of the editor: one safe line, in which nothing becomes a link. */
export function safeNotice(text: string, max = 300): string {
  return safeLine(text, max).replaceAll('](', '] (');
}

/** A name that is not ours as that of a document, which the editor shows as the title of its tab. */
export function safeFileName(name: string): string {
  return safeLine(name, 100, 'exact').replace(/[\\/]/g, ' ');
}
