import { StringDecoder } from 'node:string_decoder';
import { AbortError } from '../../base/abort';
import { safeText } from '../../base/shown/safeText';
import { UsageError } from '../exitStatus';

/** Keyboard input; `setRawMode` exists only if it is a terminal. */
type Keyboard = NodeJS.ReadableStream & { setRawMode?: (raw: boolean) => unknown };

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const CTRL_U = '\u0015';
const BACK: readonly string[] = ['\u007f', '\b'];
const LINE_END: readonly string[] = ['\r', '\n'];
/** Escape sequences of arrow keys and similar. */
const SEQUENCE = new RegExp(`${String.fromCharCode(27)}(?:\\[[\\d;]*[A-Za-z~]|O[A-Z])`, 'g');

type Typed = { text: string; end?: 'line' | 'more-lines' | 'interrupt' | 'input' };

/**
 * Reads a line without echoing it. Resolves to undefined at the end of the input. Rejects with AbortError on Ctrl+C, and with
 * UsageError when several lines arrive at once, because the rest would be typed into whatever reads next.
 */
export function askHidden(prompt: string, input: Keyboard, output: NodeJS.WritableStream): Promise<string | undefined> {
  input.setRawMode?.(true);
  output.write(safeText(prompt));
  const decoder = new StringDecoder('utf8');
  return new Promise((resolve, reject) => {
    let typed: Typed = { text: '' };
    const settle = () => {
      input.off('data', take);
      input.off('end', ended);
      input.pause();
      input.setRawMode?.(false);
      output.write('\n');
      if (typed.end === 'interrupt') reject(new AbortError());
      else if (typed.end === 'more-lines') reject(new UsageError(SEVERAL_LINES));
      else resolve(typed.end === 'line' ? typed.text : undefined);
    };
    const take = (chunk: Buffer | string) => {
      typed = typedInto(typed.text, typeof chunk === 'string' ? chunk : decoder.write(chunk));
      if (typed.end) settle();
    };
    const ended = () => {
      typed = { text: '', end: 'input' };
      settle();
    };
    input.on('data', take);
    input.on('end', ended);
    input.resume();
  });
}

const SEVERAL_LINES =
  'several lines were pasted, but this prompt takes one. Pass a value with several lines on standard input: cairn vault add NAME < FILE.';

function typedInto(before: string, keys: string): Typed {
  const text = Array.from(before);
  const plain = Array.from(keys.replace(SEQUENCE, ''));
  for (const [at, key] of plain.entries()) {
    if (LINE_END.includes(key)) {
      const isLast = plain.slice(at).every((one) => LINE_END.includes(one));
      return { text: text.join(''), end: isLast ? 'line' : 'more-lines' };
    }
    if (key === CTRL_C) return { text: '', end: 'interrupt' };
    if (key === CTRL_D && text.length === 0) return { text: '', end: 'input' };
    if (key === CTRL_U) text.length = 0;
    else if (BACK.includes(key)) text.pop();
    else if (key >= ' ') text.push(key);
  }
  return { text: text.join('') };
}
