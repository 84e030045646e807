import ts from 'typescript';
import { sourceFiles } from '../architecture/sourceFiles';

/** A call of `t`. */
export interface Sentence {
  /** `FILE:LINE`, relative to the repository. */
  place: string;
  /** The text to translate; undefined if it is not a literal and therefore cannot be collected. */
  words: string | undefined;
  values: number;
  /** Whether the number of `values` is known, which it is not with spread arguments. */
  isCounted: boolean;
  /** Whether it is evaluated while its module loads. */
  isEarly: boolean;
}

/** The folders that call `t`: everything with text for users, and what is shared by them. */
const FOLDERS = ['src', 'webview'];

/** All calls of `t`, in file order. */
export function sentences(): Sentence[] {
  return sourceFiles(...FOLDERS).flatMap(({ path, tree, imports }) => {
    if (!imports.some(({ target }) => target === 'src/base/l10n.ts')) return [];
    const found: Sentence[] = [];
    const visit = (node: ts.Node) => {
      if (ts.isCallExpression(node) && node.expression.getText(tree) === 't') {
        const [first, ...values] = node.arguments;
        found.push({
          place: `${path}:${tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1}`,
          words: first && ts.isStringLiteralLike(first) ? first.text : undefined,
          values: values.length,
          isCounted: !values.some((one) => ts.isSpreadElement(one)),
          isEarly: ts.findAncestor(node, ts.isFunctionLike) === undefined,
        });
      }
      ts.forEachChild(node, visit);
    };
    visit(tree);
    return found;
  });
}

/** The template for translators, as in `assets/l10n/bundle.l10n.json`: each sentence mapped to itself, in English. */
export function l10nBundle(): Record<string, string> {
  const all = new Set(sentences().flatMap(({ words }) => words ?? []));
  return Object.fromEntries([...all].sort().map((words) => [words, words]));
}
