import type { ScriptProblem } from './scriptDescription';
import type { SyntaxNode } from './trees/syntaxTree';

/** Builds a problem that prevents a tool from being used, located in the script where known. */
export function problemOf(
  at: { readonly line: number; readonly column: number } | undefined,
  message: string,
  severity: ScriptProblem['severity'] = 'error',
): ScriptProblem {
  return { severity, line: at?.line ?? 1, column: at?.column ?? 1, message };
}

export function placeOf({ startPosition: { row, column } }: SyntaxNode): { line: number; column: number } {
  return { line: row + 1, column: column + 1 };
}
