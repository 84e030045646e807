import ts from 'typescript';
import type { SourceFile } from './sourceFiles';

/** A text in the code that is shown without being translated. */
export interface WordsOutside {
  path: string;
  line: number;
  words: string;
}

/** Attributes of elements and components that the user sees or that a screen reader speaks. */
const SHOWN_ATTRIBUTES = /^(?:title|aria-label|placeholder|label|alt|words|head|summary)$/;
/** Attributes that contain names, never text. */
const NAMES =
  /^(?:class|id|role|key|type|name|icon|kind|command|d|style|dir|for|rel|href|xmlns|viewBox|data-.*|aria-.*)$/;
/** Properties whose text the editor or the panel shows. */
const SHOWN_PROPERTIES =
  /^(?:label|detail|description|tooltip|title|placeHolder|placeholder|prompt|question|hint|text|words|warning|reason)$/;
/** Functions that show their arguments → the index of the first argument that is text. */
const SHOWS: Readonly<Record<string, number>> = { notify: 1, withCancel: 0, askInDialog: 1, askSecret: 0, askText: 0 };
/** Calls that log, which is always in English, or that pass names to the browser or the engine. */
const QUIET =
  /(?:^|\.)(?:log\??\.\w+|querySelector(?:All)?|closest|matches|dispatch|setAttribute|createElement|join|split|startsWith|endsWith|includes|executeCommand|getConfiguration|get|set|has|on|require|replace|replaceAll|test)$/;

/** Matches a text that begins with a capitalized word. */
const BEGINS = /^[^A-Za-z]*[A-Z][a-z]+(?:[ ,.…:;?’“”()–]|$)/;
/** Matches two words; either may be a placeholder, and the first may be a number. */
const TWO_WORDS = /[A-Za-z\d\0][,.:;”)]? +[(“]?[A-Za-z\0]/;

/** Returns the texts of a file that look user-visible but do not go through `t`, judging by their form. */
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

/** Returns the text of a literal, with a NUL character in place of each interpolated value; undefined for any other node. */
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

/** Returns true if the literal is an identifier: a module, a type, a key, or a value to compare with. */
function isName(node: ts.Node, parent: ts.Node): boolean {
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isLiteralTypeNode(parent)) return true;
  if (ts.isCaseClause(parent) || ts.isElementAccessExpression(parent)) return true;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return true;
  return ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText());
}

/** Returns where the value of a literal ends up, looking through conditionals and parentheses. */
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
