/** A piece of a program, as tree-sitter names it. */
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

/** Takes programs apart. */
export interface SyntaxTrees {
  /** Gives the whole program to `use`, and what that gives; the tree is gone then. Rejects when the grammar cannot be loaded. */
  parse<T>(language: 'python' | 'typescript', text: string, use: (root: SyntaxNode) => T): Promise<T>;
}

export function namedChildren({ namedChildren: all }: SyntaxNode): SyntaxNode[] {
  return all.filter((one) => one !== null);
}

/** Where a program cannot be read, the first such place. */
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
