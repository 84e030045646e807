/** A node of a program's syntax tree, with tree-sitter's names. */
export interface SyntaxNode {
  readonly type: string;
  readonly text: string;
  readonly startPosition: { readonly row: number; readonly column: number };
  readonly namedChildren: readonly (SyntaxNode | null)[];
  readonly children: readonly (SyntaxNode | null)[];
  readonly previousNamedSibling: SyntaxNode | null;
  readonly hasError: boolean;
  readonly isError: boolean;
  readonly isMissing: boolean;
  childForFieldName(name: string): SyntaxNode | null;
}

/** Parses programs. */
export interface SyntaxTrees {
  /**
   * Calls `use` with the root of the parsed program and returns its result; the tree is freed afterwards. Rejects if the grammar
   * cannot be loaded.
   */
  parse<T>(language: 'python' | 'typescript', text: string, use: (root: SyntaxNode) => T): Promise<T>;
}

export function namedChildren({ namedChildren: all }: SyntaxNode): SyntaxNode[] {
  return all.filter((one) => one !== null);
}

/** Returns the first place where a program cannot be parsed. */
export function brokenPlace(root: SyntaxNode): SyntaxNode | undefined {
  if (!root.hasError) return undefined;
  let place = root;
  for (;;) {
    if (place.isError || place.isMissing) return place;
    const inner = place.children.find((one) => one?.hasError === true || one?.isMissing === true);
    if (!inner) return place;
    place = inner;
  }
}
