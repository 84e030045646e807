import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { ContentProblem } from '../../../engine';
import type { PickRow } from '../../shown/pickRow';

export interface ProblemItem extends PickRow {
  problem: ContentProblem;
}

/** Rows for files that should be in a list and cannot be used, so that nobody looks for them in vain. */
export function brokenFiles(problems: readonly ContentProblem[]): ProblemItem[] {
  const first = new Map(problems.filter(({ severity }) => severity === 'error').map((one) => [one.path, one]));
  return [...first.values()].map((problem) => ({
    icon: 'warning',
    label: `${basename(problem.path)} cannot be used`,
    detail: `Line ${problem.line}: ${problem.message}`,
    problem,
  }));
}

/** Goes to what is wrong. */
export async function openProblem({ path, line, column }: ContentProblem): Promise<void> {
  const place = new vscode.Position(Math.max(0, line - 1), Math.max(0, column - 1));
  await vscode.window.showTextDocument(vscode.Uri.file(path), { selection: new vscode.Range(place, place) });
}
