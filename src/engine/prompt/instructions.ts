import type { UnseenLine } from '../../base/shown/safeText';

/** Instructions of a workspace for working in it. */
export interface Instructions {
  /** Path relative to the workspace. */
  source: string;
  text: string;
}

export interface FoundInstructions {
  instructions: readonly Instructions[];
  /** Why files were left out, and which invisible text they contain, one sentence each. */
  problems: readonly string[];
}

/** Keeps the last of those with the same text: many repositories have one text under several names, as copies or links. */
export function withoutCopies(all: readonly Instructions[]): Instructions[] {
  return all.filter(({ text }, at) => all.findLastIndex((other) => other.text === text) === at);
}

/** Describes text in a file that the model reads but people cannot see. */
export function unseenText(source: string, { line, marks }: UnseenLine): string {
  return `Line ${line} of ${source} contains text that models read but people cannot see: ${marks}. Check it before you go on.`;
}
