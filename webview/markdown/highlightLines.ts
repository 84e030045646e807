import { highlighting } from './languages';

/** A run of characters in one colour; `scope` is class names of highlight.js and ours, or empty. */
export interface CodeToken {
  text: string;
  scope: string;
}

/** More than this is shown plain: colouring it would be felt. */
const LONGEST = 10_000;

/** Keywords that steer: the editor's themes give them another colour than those that declare. */
const CONTROL = new Set(
  (
    'if else elif elsif fi then for foreach while do done until loop switch case esac match when default break continue ' +
    'return yield await throw throws raise try catch except finally rescue ensure import export from as with use require ' +
    'include package goto defer go select pass del assert end begin unless'
  ).split(' '),
);

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};

/** The tokens of each line, or null when the language is not known or the code is long. */
export function highlightLines(code: string, language: string): CodeToken[][] | null {
  if (code.length > LONGEST || !highlighting.getLanguage(language)) return null;
  return tokenLines(highlighting.highlight(code, { language, ignoreIllegals: true }).value);
}

/** Reads the spans that highlight.js writes; a span over several lines is cut at each. */
function tokenLines(html: string): CodeToken[][] {
  const lines: CodeToken[][] = [[]];
  const scopes: string[] = [];
  for (const part of html.split(/(<span class="[^"]*">|<\/span>)/)) {
    if (part === '</span>') scopes.pop();
    else if (part.startsWith('<span ')) scopes.push(part.slice(13, -2));
    else
      addText(
        lines,
        part.replace(/&(?:amp|lt|gt|quot|#x27);/g, (one) => ENTITIES[one] ?? one),
        scopes.at(-1) ?? '',
      );
  }
  return lines;
}

function addText(lines: CodeToken[][], text: string, scope: string): void {
  text.split('\n').forEach((piece, at) => {
    if (at > 0) lines.push([]);
    if (piece !== '') lines.at(-1)?.push({ text: piece, scope: scopeOf(piece, scope) });
  });
}

function scopeOf(text: string, scope: string): string {
  return scope === 'hljs-keyword' && CONTROL.has(text) ? `${scope} control` : scope;
}
