import * as vscode from 'vscode';
import { t } from '../../base/l10n';

/** What is used of a repository of the editor's built-in Git extension. */
export interface GitRepository {
  rootUri: vscode.Uri;
  inputBox: { value: string };
  /** `cached`: what is staged; else what is not staged. */
  diff(cached: boolean): Promise<string>;
  /** The newest commits; rejects where there is none yet. */
  log(options: { maxEntries: number }): Promise<readonly { message: string }[]>;
  /** Looks again; `state` has what it saw. */
  status(): Promise<void>;
  /** New files are in the second list when the person has them shown apart, else in the first; in none when hidden. */
  state: { workingTreeChanges: readonly GitChange[]; untrackedChanges?: readonly GitChange[] };
}

interface GitChange {
  uri: Pick<vscode.Uri, 'fsPath'>;
  status: number;
}

interface GitApi {
  repositories: readonly GitRepository[];
}

/** Throws a sentence for the person when the Git extension is off. */
export async function gitRepositories(): Promise<readonly GitRepository[]> {
  const exported: unknown = await vscode.extensions.getExtension('vscode.git')?.activate();
  const api = isGitExtension(exported) ? exported.getAPI(1) : undefined;
  if (!isGitApi(api)) throw new Error(t('The Git extension of the editor is off. Turn on the setting git.enabled.'));
  return api.repositories;
}

/** Those that are open already; none when the Git extension is off or has not started. */
export async function openRepositories(): Promise<readonly GitRepository[]> {
  if (!vscode.extensions.getExtension('vscode.git')?.isActive) return [];
  return gitRepositories().catch(() => []);
}

function isGitExtension(value: unknown): value is { getAPI(version: number): unknown } {
  return (
    typeof value === 'object' && value !== null && 'enabled' in value && value.enabled === true && 'getAPI' in value
  );
}

function isGitApi(value: unknown): value is GitApi {
  return typeof value === 'object' && value !== null && 'repositories' in value && Array.isArray(value.repositories);
}
