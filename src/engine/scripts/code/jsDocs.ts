import type { Docs, ParameterDocs } from './pythonDocs';

export interface JsDocs extends Docs {
  /** The properties of the type that the comment defines with `@typedef`, from `@property` tags. */
  readonly made: { readonly name: string; readonly properties: ReadonlyMap<string, PropertyDocs> } | undefined;
}

export interface PropertyDocs extends ParameterDocs {
  /** Written `[name]`. */
  readonly isOptional: boolean;
}

/** Parses a JSDoc comment: the text before the first tag, and its `@param` and `@property` tags. */
export function jsDocs(comment: string): JsDocs {
  const lines = comment
    .replace(/^\/\*\*?/, '')
    .replace(/\*\/\s*$/, '')
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*\*? ?/, '').trimEnd());
  const first = lines.findIndex((line) => /^\s*@\w/.test(line));
  const description = (first === -1 ? lines : lines.slice(0, first)).join('\n').trim();
  const tags = first === -1 ? [] : tagsIn(lines.slice(first));
  const parameters = new Map<string, PropertyDocs>();
  const properties = new Map<string, PropertyDocs>();
  let made: string | undefined;
  for (const { tag, text } of tags) {
    if (tag === 'typedef') made = /^(?:\{[^}]*\}\s*)?([\w$]+)/.exec(text)?.[1];
    const into = tag === 'param' ? parameters : tag === 'property' || tag === 'prop' ? properties : undefined;
    const entry = into && entryOf(text);
    if (entry) into.set(entry.name, entry.docs);
  }
  return { description, parameters, made: made === undefined ? undefined : { name: made, properties } };
}

function tagsIn(lines: readonly string[]): { tag: string; text: string }[] {
  const tags: { tag: string; lines: string[] }[] = [];
  for (const line of lines) {
    const [, tag, text = ''] = /^\s*@(\w+)\s*(.*)$/.exec(line) ?? [];
    if (tag === undefined) tags.at(-1)?.lines.push(line.trim());
    else tags.push({ tag, lines: [text] });
  }
  return tags.map(({ tag, lines: all }) => ({ tag, text: all.join('\n').trim() }));
}

/** Parses `{string} [name=default] - What it is`. */
function entryOf(text: string): { name: string; docs: PropertyDocs } | undefined {
  const { type, rest } = typeIn(text);
  const [, optional, plain, said = ''] =
    /^(?:\[\s*([\w$.]+)\s*(?:=[^\]]*)?\]|([\w$.]+))\s*(?:-\s*)?([^]*)$/.exec(rest) ?? [];
  const name = optional ?? plain;
  if (name === undefined) return undefined;
  return { name, docs: { type, text: said.trim(), isOptional: optional !== undefined } };
}

/** Parses a type in braces, which may be nested. */
function typeIn(text: string): { type: string | undefined; rest: string } {
  if (!text.startsWith('{')) return { type: undefined, rest: text };
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0)
      return { type: text.slice(1, at).trim(), rest: text.slice(at + 1).trim() };
  }
  return { type: undefined, rest: '' };
}
