const ESCAPE = String.fromCharCode(0x1b);
const BELL = String.fromCharCode(0x07);

/** Colours and cursor moves, window titles and other strings to the terminal, and lone escapes. */
const SEQUENCES = new RegExp(
  [
    `${ESCAPE}\\[[0-?]*[ -/]*[@-~]`,
    `${ESCAPE}[\\]PX^_][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\|$)`,
    `${ESCAPE}[ -/]*[0-~]?`,
  ].join('|'),
  'g',
);

/** Everything below a space but tab and line feed, and delete. */
const CONTROLS = new RegExp(`[${String.fromCharCode(0)}-\\u0008\\u000b-\\u001f\\u007f]`, 'g');

/** What a terminal would show in the end: no escape sequences, and of a line written over again only the last state. */
export function plainOutput(raw: string): string {
  const lines = raw.replace(SEQUENCES, '').replaceAll('\r\n', '\n').replace(/\r+\n/g, '\n');
  return lines.replace(/[^\n]*\r(?=[^\n])/g, '').replace(CONTROLS, '');
}
