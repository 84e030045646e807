import ts from 'typescript';
import type { SourceFile } from './sourceFiles';

/** Words that are shown as they stand in the code. */
export interface WordsOutside {
  path: string;
  line: number;
  words: string;
}

/** Attributes of elements and components that a person reads or hears. */
const SHOWN_ATTRIBUTES = /^(?:title|aria-label|placeholder|label|alt|words|head|summary)$/;
/** Attributes that hold names, never words. */
const NAMES =
  /^(?:class|id|role|key|type|name|icon|kind|command|d|style|dir|for|rel|href|xmlns|viewBox|data-.*|aria-.*)$/;
/** Properties of what the editor and the panel show. */
const SHOWN_PROPERTIES =
  /^(?:label|detail|description|tooltip|title|placeHolder|placeholder|prompt|question|hint|text|words|warning|reason)$/;
/** What shows its words, each with the first argument that is words. */
const SHOWS: Readonly<Record<string, number>> = { notify: 1, withCancel: 0, askInDialog: 1, askSecret: 0, askText: 0 };
/** For the log, which is English, and for what the browser and the engine take by name. */
const QUIET =
  /(?:^|\.)(?:log\??\.\w+|querySelector(?:All)?|closest|matches|dispatch|setAttribute|createElement|join|split|startsWith|endsWith|includes|executeCommand|getConfiguration|get|set|has|on|require|replace|replaceAll|test)$/;

/** A capital letter that begins a word or a sentence. */
const BEGINS = /^[^A-Za-z]*[A-Z][a-z]+(?:[ ,.…:;?’“”()–]|$)/;
/** Two words, the first of which may be a number, and one a value. */
const TWO_WORDS = /[A-Za-z\d\0][,.:;”)]? +[(“]?[A-Za-z\0]/;

/** What of a file a person may be shown and `t` is not asked for, as far as its form tells. */
export function wordsOutside({ path, tree }: SourceFile): WordsOutside[] {
  const found: WordsOutside[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node) && node.expression.getText(tree) === 't') {
      node.arguments.slice(1).forEach(visit);
      return;
    }
    const words = wordsOf(node)?.replace(/\$\([\w~-]+\) ?/g, '');
    if (words !== undefined && isShown(node, words)) {
      const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
      found.push({ path, line, words: words.replaceAll('\0', '{}').replace(/\s+/g, ' ').trim() });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Without icons of the editor, and with a sign that nobody writes for each value in it. */
function wordsOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isJsxText(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `\0${literal.text}`).join('');
}

function isShown(node: ts.Node, words: string): boolean {
  if (!/[A-Za-z]{2}/.test(words)) return false;
  if (ts.isJsxText(node)) return true;
  const { parent } = node;
  if (isName(node, parent)) return false;
  const place = placeOf(node);
  if (place === 'name') return false;
  const looksLikeWords = BEGINS.test(words) || TWO_WORDS.test(words);
  return place === 'shown' ? looksLikeWords || /^[a-z]+$/.test(words) : looksLikeWords;
}

/** It names something: a module, a type, a key, one of several cases. */
function isName(node: ts.Node, parent: ts.Node): boolean {
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isLiteralTypeNode(parent)) return true;
  if (ts.isCaseClause(parent) || ts.isElementAccessExpression(parent)) return true;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return true;
  return ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText());
}

/** Where the value of a literal goes, through conditions and brackets. */
function placeOf(node: ts.Node): 'shown' | 'name' | 'elsewhere' {
  let at = node;
  while (
    ts.isConditionalExpression(at.parent) ||
    ts.isParenthesizedExpression(at.parent) ||
    ts.isJsxExpression(at.parent) ||
    (ts.isBinaryExpression(at.parent) && at.parent.right === at)
  )
    at = at.parent;
  const { parent } = at;
  if (ts.isJsxAttribute(parent)) {
    const name = parent.name.getText();
    return SHOWN_ATTRIBUTES.test(name) ? 'shown' : NAMES.test(name) ? 'name' : 'elsewhere';
  }
  if (ts.isJsxExpression(at)) return 'shown';
  if (ts.isPropertyAssignment(parent)) return SHOWN_PROPERTIES.test(parent.name.getText()) ? 'shown' : 'elsewhere';
  if (!ts.isCallExpression(parent)) return 'elsewhere';
  const called = parent.expression.getText();
  if (QUIET.test(called)) return 'name';
  const first = SHOWS[called];
  return first !== undefined && parent.arguments.findIndex((one) => one === at) >= first ? 'shown' : 'elsewhere';
}
