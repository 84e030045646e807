/** What is being completed in the composer, and the part of the text that it stands in. */
export interface Completion {
  kind: 'context' | 'command';
  /** What was typed after the sign. */
  query: string;
  start: number;
  end: number;
}

/** `@` after a space completes what can be sent along, `/` as the first sign completes commands. */
export function completionAt(text: string, caret: number): Completion | null {
  const before = text.slice(0, caret);
  const command = /^\/([a-z-]*)$/i.exec(before);
  if (command) return { kind: 'command', query: (command[1] ?? '').toLowerCase(), start: 0, end: caret };
  const mention = /(?:^|[\s([{"'])@(\S*)$/.exec(before);
  if (!mention) return null;
  const query = mention[1] ?? '';
  return { kind: 'context', query, start: caret - query.length - 1, end: caret };
}

/** The text without what was completed, and where the caret then stands. */
export function withoutCompletion(text: string, { start, end }: Completion): { text: string; caret: number } {
  const after = text.slice(end);
  const gap = start > 0 && /\s$/.test(text.slice(0, start)) && /^\s/.test(after) ? after.slice(1) : after;
  return { text: text.slice(0, start) + gap, caret: start };
}
