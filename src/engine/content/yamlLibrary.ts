/** What is used of the YAML library, as a file of its own: it is loaded when the first file of content is read. */
import { type Document, isMap, isScalar, isSeq, Lexer, parseDocument as parse, YAMLParseError } from 'yaml';

export { mendEntries } from './mendEntries';
export { isCollection, isMap, isNode, isPair, isScalar, LineCounter, stringify } from 'yaml';

/**
 * Deeper than people write. The parser calls itself for each level, and where the stack ends V8 cannot compile the parser's
 * expressions: it then ends the whole process, which nothing catches.
 */
const DEEPEST = 500;

/** As the library's. Throws when the text is nested too deep for it. */
export function parseDocument(text: string, options: Parameters<typeof parse>[1]): ReturnType<typeof parse> {
  if (blockDepth(text) > DEEPEST || (mayBeDeep(text) && flowDepth(text) > DEEPEST)) {
    throw new Error(`This is nested too deeply (more than ${DEEPEST} levels).`);
  }
  const document = parse(text, { ...options, uniqueKeys: false });
  tellDoubleKeys(document);
  return document;
}

/** As the library does, which compares each key with all before it: that takes minutes in a map of many thousands. */
function tellDoubleKeys({ contents, errors }: Pick<Document, 'contents' | 'errors'>): void {
  const before = errors.length;
  const waiting: unknown[] = [contents];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (isSeq(node)) for (const item of node.items) waiting.push(item);
    if (!isMap(node)) continue;
    const known = new Set<unknown>();
    for (const { key, value } of node.items) {
      waiting.push(key, value);
      if (!isScalar(key)) continue;
      const start = key.range?.[0] ?? 0;
      if (known.has(key.value)) {
        errors.push(new YAMLParseError([start, start + 1], 'DUPLICATE_KEY', 'Map keys must be unique'));
      }
      known.add(key.value);
    }
  }
  if (errors.length > before) errors.sort((a, b) => a.pos[0] - b.pos[0]);
}

/** By the brackets alone, which may stand in ordinary text as well. */
function mayBeDeep(text: string): boolean {
  let count = 0;
  for (let at = 0; at < text.length && count <= DEEPEST; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5b || code === 0x7b) count++;
  }
  return count > DEEPEST;
}

function flowDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') deepest = Math.max(deepest, ++depth);
    else if (token === ']' || token === '}') depth--;
  }
  return deepest;
}

/** By how far lines are moved in, and by signs of lists and keys that follow each other in one line. */
function blockDepth(text: string): number {
  const indents: number[] = [];
  let deepest = 0;
  for (const [line, spaces = '', signs = ''] of text.matchAll(/^([ \t]*)((?:[-?:][ \t]+)*).*$/gm)) {
    if (line.length === spaces.length) continue;
    while ((indents.at(-1) ?? -1) >= spaces.length) indents.pop();
    indents.push(spaces.length);
    deepest = Math.max(deepest, indents.length + signs.replaceAll(/\s/g, '').length);
  }
  return deepest;
}
