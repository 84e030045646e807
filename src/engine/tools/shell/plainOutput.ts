const ESCAPE = String.fromCharCode(0x1b);
const BELL = String.fromCharCode(0x07);

/** Colors and cursor moves, window titles and other strings to the terminal, and lone escapes. */
const SEQUENCES = new RegExp(
  [
    `${ESCAPE}\\[[0-?]*[ -/]*[@-~]`,
    `${ESCAPE}[\\]PX^_][^${BELL}${ESCAPE}\n]*(?:${BELL}|${ESCAPE}\\\\)`,
    `${ESCAPE}[ -/]*[0-~]?`,
  ].join('|'),
  'g',
);

/** Control characters, including delete, other than tab and line feed. */
const CONTROLS = new RegExp(`[${String.fromCharCode(0)}-\\u0008\\u000b-\\u001f\\u007f]`, 'g');

/** Returns what a terminal would show in the end: without escape sequences, and with only the last state of an overwritten line. */
export function plainOutput(raw: string): string {
  return raw.replace(SEQUENCES, '').split('\n').map(lastState).join('\n').replace(CONTROLS, '');
}

function lastState(line: string): string {
  if (!line.includes('\r')) return line;
  const states = line.split('\r');
  return states.findLast((state) => state !== '') ?? '';
}
