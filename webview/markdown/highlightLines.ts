import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import graphql from 'highlight.js/lib/languages/graphql';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import powershell from 'highlight.js/lib/languages/powershell';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

/** highlight.js with the languages supported by the panel. */
const highlighting = hljs;

/** A run of characters in one color; `scope` contains class names of highlight.js and Cairn, or is empty. */
export interface CodeToken {
  text: string;
  scope: string;
}

/** Longer code is not highlighted, because that would be noticeably slow. */
const LONGEST = 10_000;

/** Control-flow keywords: the editor's themes color them differently than declaration keywords. */
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

/** Returns the tokens of each line, or null if the language is unknown or the code too long. */
export function highlightLines(code: string, language: string): CodeToken[][] | null {
  if (code.length > LONGEST || !highlighting.getLanguage(language)) return null;
  return tokenLines(highlighting.highlight(code, { language, ignoreIllegals: true }).value);
}

/** Parses the spans written by highlight.js; spans over several lines are split. */
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

const grammars = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  graphql,
  ini,
  java,
  javascript,
  json,
  kotlin,
  lua,
  makefile,
  markdown,
  php,
  powershell,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};

for (const [name, grammar] of Object.entries(grammars)) hljs.registerLanguage(name, grammar);

hljs.registerAliases(['shell', 'console', 'shellsession'], { languageName: 'bash' });

hljs.registerAliases(['vue', 'svelte'], { languageName: 'xml' });

hljs.registerAliases(['mts', 'cts'], { languageName: 'typescript' });
