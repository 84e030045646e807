import { safeLabel } from './safeLabel';

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
