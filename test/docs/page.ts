import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexer, type MarkedToken, type Token, type Tokens, walkTokens } from 'marked';
import { repoRoot } from '../editor/repoRoot';

/** A block of code in a page. */
export interface Snippet {
  language: string;
  /** The text after the language: `file=PATH` for a file that readers write, or a word such as `shown`. */
  info: string;
  text: string;
}

/** A parsed page of the documentation. */
export interface Page {
  /** Relative to the root of the repository. */
  path: string;
  snippets: readonly Snippet[];
  /** Texts between backticks, including those in tables. */
  codes: readonly string[];
  /** Texts in italics: titles and labels of the editor and the panel. */
  labels: readonly string[];
  links: readonly string[];
  /** Targets that a link may name after `#`. */
  anchors: readonly string[];
  /** Header of the first column of each table, with the cells of each row. */
  tables: readonly { head: string; rows: readonly (readonly string[])[] }[];
}

/** Paths of the pages of `docs/`, relative to the root of the repository. */
export const DOC_PAGES = readdirSync(join(repoRoot, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);

export function readPage(path: string): Page {
  return pageOf(path, readFileSync(join(repoRoot, path), 'utf8'));
}

export function pageOf(path: string, text: string): Page {
  const found: Found = { code: [], codespan: [], em: [], link: [], heading: [], table: [] };
  void walkTokens(lexer(text), (token) => collect(token, found));
  return {
    path,
    snippets: found.code.map(({ lang = '', text: code }) => {
      const [language = '', ...rest] = lang.split(' ');
      return { language, info: rest.join(' '), text: code };
    }),
    codes: found.codespan.map(({ text: code }) => code),
    labels: found.em.map(({ text: label }) => label),
    links: found.link.map(({ href }) => href),
    anchors: found.heading.map(({ text: title }) => slugOf(title)),
    tables: found.table.map(({ header, rows }) => ({
      head: header[0]?.text ?? '',
      rows: rows.map((cells) => cells.map(({ text: cell }) => cell)),
    })),
  };
}

interface Found {
  code: Tokens.Code[];
  codespan: Tokens.Codespan[];
  em: Tokens.Em[];
  link: Tokens.Link[];
  heading: Tokens.Heading[];
  table: Tokens.Table[];
}

function collect(token: Token, found: Found): void {
  if (isA(token, 'code')) found.code.push(token);
  else if (isA(token, 'codespan')) found.codespan.push(token);
  else if (isA(token, 'em')) found.em.push(token);
  else if (isA(token, 'link')) found.link.push(token);
  else if (isA(token, 'heading')) found.heading.push(token);
  else if (isA(token, 'table')) found.table.push(token);
}

function isA<T extends MarkedToken['type']>(token: Token, type: T): token is Extract<MarkedToken, { type: T }> {
  return token.type === type;
}

/** Returns the anchor that GitHub gives a heading. */
function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}
