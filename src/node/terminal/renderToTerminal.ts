import { brokenRows } from '../../base/shown/brokenRows';
import { SafeStream } from '../../base/shown/safeStream';
import type { AgentHandle, RunOutcome } from '../../engine';
import { RunText, safeNote } from './runText';

export interface TerminalRendering {
  /** For example `process.stdout`. */
  stream: NodeJS.WritableStream;
  /** Default: no colors. */
  colour?: boolean;
  /** Columns at which lines about the agent's actions wrap. Default: none, leaving it to the screen. */
  width?: number;
}

const LEAST_WIDTH = 20;
const FAINT = { begin: '\u001b[2m', end: '\u001b[22m' };
const RED = { begin: '\u001b[31m', end: '\u001b[39m' };

/**
 * Renders a run on a terminal as the command `cairn` does: streams the answer, and prints a line for everything else. Nothing
 * from models or tools can control the terminal. Resolves with the outcome after the last line. A closed stream gets no more
 * output, but stops neither the run nor the rendering.
 */
export async function renderToTerminal(
  run: Pick<AgentHandle, 'subscribe' | 'unkept' | 'outcome'>,
  { stream, colour = false, width }: TerminalRendering,
): Promise<RunOutcome> {
  const safe = new SafeStream();
  const write = (text: string) => {
    if (stream.writable && text !== '') stream.write(text);
  };
  const err = (message: string, isTrouble = false) => {
    // Flush held-back text of the answer first.
    write(safe.end());
    const lines = rowsOf(safeNote(message).replace(/\n$/, ''), width);
    const { begin, end } = isTrouble ? RED : FAINT;
    for (const line of lines) write(colour ? `${begin}${line}${end}\n` : `${line}\n`);
  };
  const text = new RunText({ out: (piece) => write(safe.push(piece)), err, outIsTerminal: true });
  for (const event of run.unkept()) text.onEvent(event);
  const listening = run.subscribe((event) => text.onEvent(event));
  try {
    const outcome = await run.outcome;
    const last = text.finish(outcome);
    write(safe.end());
    if (last !== undefined) err(`› ${last}`, outcome.kind !== 'cancelled');
    return outcome;
  } finally {
    listening.dispose();
  }
}

function rowsOf(note: string, width: number | undefined): string[] {
  const lines = note.split('\n');
  if (width === undefined) return lines;
  return lines.flatMap((line) => {
    const [first = '', ...rest] = brokenRows(line, Math.max(LEAST_WIDTH, width) - 2);
    return [first, ...rest.map((row) => `  ${row}`)];
  });
}
