import ts from 'typescript';
import { sourceFiles } from '../architecture/sourceFiles';

/** A call of `t`. */
export interface Sentence {
  /** `FILE:LINE`, from the repository. */
  place: string;
  /** What is translated; undefined when it is no literal, so that it cannot be collected. */
  words: string | undefined;
  values: number;
  /** Undefined: they are given in a way that cannot be counted. */
  isCounted: boolean;
  /** It is looked up when its module is loaded. */
  isEarly: boolean;
}

/** Where `t` is called: every folder that a person sees something of, with what they share. */
const FOLDERS = ['src', 'webview'];

/** Every call of `t`, in the order of the files. */
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

/** What a translator starts from, as `assets/l10n/bundle.l10n.json` holds it: each sentence by itself, in English. */
export function l10nBundle(): Record<string, string> {
  const all = new Set(sentences().flatMap(({ words }) => words ?? []));
  return Object.fromEntries([...all].sort().map((words) => [words, words]));
}
