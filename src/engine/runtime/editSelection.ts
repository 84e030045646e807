import editPrompt from '../../../assets/prompts/edit.md';
import { EngineError } from '../engineError';
import type { OneQuestion } from '../llm/askOnce';
import type { Ports } from '../ports';

export interface SelectionEdit extends SelectedPart, Pick<OneQuestion, 'onNotice'> {
  sessionId: string;
}

type Ask = (question: OneQuestion) => Promise<string>;

/**
 * Asks a model for the lines that replace a part of a file. `onProgress` receives a function that returns the lines so far. The
 * model is never shown a known secret. Rejects with EngineError `invalid-input` if the part contains one, and as `ask` does.
 */
export async function editSelection(
  edit: SelectedPart & Pick<OneQuestion, 'onNotice'>,
  ask: Ask,
  { strike, strikePieces, secretsKnown }: Required<Pick<Ports, 'strike' | 'strikePieces' | 'secretsKnown'>>,
  onProgress: (linesSoFar: () => string[]) => void,
): Promise<string[]> {
  await secretsKnown();
  if (strike(edit.part) !== edit.part) {
    const text = 'The selection contains a secret, which is never sent to models. Select the lines without it.';
    throw new EngineError('invalid-input', text);
  }
  const { before, after, wish, onNotice } = edit;
  const shown = { ...edit, before: strike(before), after: strike(after), wish: strike(wish) };
  const pieces = strikePieces();
  let reply = '';
  const onText = (piece: string) => {
    reply += pieces.push(piece);
    onProgress(() => codeOfReply(reply, edit.part, true));
  };
  // The returned answer is trimmed at both ends, so it is not used.
  await ask({ ...selectionQuestion(shown), onText, ...(onNotice && { onNotice }), whole: true });
  reply += pieces.end();
  return codeOfReply(reply, edit.part, false);
}

/** A part of a file, in whole lines, that the user wants changed. */
interface SelectedPart {
  /** As shown to the model. */
  path: string;
  /** The editor's language ID. */
  language: string;
  before: string;
  part: string;
  after: string;
  /** In the user's words. */
  wish: string;
}

/**
 * Builds the question to a model. The file's contents are data between tags, which they cannot close: the tags contain a number
 * that appears in none of the texts.
 */
export function selectionQuestion({ path, language, before, part, after, wish }: SelectedPart): {
  system: string;
  text: string;
} {
  const number = freeNumber([path, language, before, part, after].join('\n'));
  const between = (name: string, text: string) => `<${name}-${number}>\n${text}\n</${name}-${number}>`;
  const text = [
    between('file', `${path} (${language})`),
    between('before', before),
    between('part', part),
    between('after', after),
    `What the user wants:\n${wish}`,
  ].join('\n\n');
  return { system: editPrompt, text };
}

function freeNumber(text: string): number {
  let number = 1;
  while (text.includes(`-${number}>`)) number++;
  return number;
}

const FENCE = /^(`{3,}|~{3,})/;

/**
 * Extracts the lines of a model's answer: without a surrounding fence, with the indentation of the replaced part, and without
 * empty lines at both ends. `isOpen`: more may follow.
 */
export function codeOfReply(reply: string, part: string, isOpen: boolean): string[] {
  const lines = reply.replace(/\r\n?/g, '\n').split('\n');
  const code = withoutEmptyEnds(withoutFence(lines, part, isOpen));
  return indented(code, part.split(/\r\n|\n|\r/));
}

function withoutFence(lines: readonly string[], part: string, isOpen: boolean): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  // If the part itself contains fences, a fence is removed only if it surrounds the whole answer.
  const hasOwn = part.split('\n').some((line) => FENCE.test(line));
  const start = hasOwn ? first : lines.findIndex((line) => FENCE.test(line));
  const fence = start === -1 ? undefined : FENCE.exec(lines[start] ?? '')?.[1];
  if (fence === undefined) return isOpen && mayBecomeFence(lines, first) ? [] : lines;
  const closes = (line: string) => line.startsWith(fence) && line.slice(fence.length).trim() === '';
  const inside = lines.slice(start + 1);
  const end = hasOwn ? inside.findLastIndex(closes) : inside.findIndex(closes);
  const isAroundAll = inside.slice(end + 1).every((line) => line.trim() === '');
  if (hasOwn && (part.trimStart().startsWith(fence) || (!isOpen && (end === -1 || !isAroundAll)))) return lines;
  if (end !== -1) return inside.slice(0, end);
  return isOpen && fence.startsWith(inside.at(-1) ?? '') ? inside.slice(0, -1) : inside;
}

/** Whether the only line so far may be the start of a fence. */
function mayBecomeFence(lines: readonly string[], first: number): boolean {
  const line = lines[first] ?? '';
  return first === lines.length - 1 && ('```'.startsWith(line) || '~~~'.startsWith(line));
}

function withoutEmptyEnds(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first === -1) return [];
  return lines.slice(first, lines.findLastIndex((line) => line.trim() !== '') + 1);
}

/** Restores indentation, which models omit on the first line or on all lines. */
function indented(lines: readonly string[], part: readonly string[]): string[] {
  const [first = '', ...rest] = lines;
  const [firstOfPart = '', ...restOfPart] = withoutEmptyEnds(part);
  const wanted = indentOf(firstOfPart);
  if (wanted === '' || indentOf(first) !== '') return [...lines];
  const least = restOfPart.some((line) => line.trim() !== '') ? leastIndent(restOfPart) : wanted.length;
  const isOnlyFirst = rest.some((line) => line.trim() !== '') && leastIndent(rest) >= least;
  if (isOnlyFirst) return [wanted + first, ...rest];
  return lines.map((line) => (line.trim() === '' ? line : wanted + line));
}

function leastIndent(lines: readonly string[]): number {
  return Math.min(...lines.filter((line) => line.trim() !== '').map((line) => indentOf(line).length));
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
