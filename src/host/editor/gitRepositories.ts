import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import { NotPossible } from '../shown/notify';

/** The subset used of a repository of the editor's built-in Git extension. */
export interface GitRepository {
  rootUri: vscode.Uri;
  inputBox: { value: string };
  /** `cached`: the staged changes instead of the unstaged ones. */
  diff(cached: boolean): Promise<string>;
  /** The newest commits. Rejects if there are none yet. */
  log(options: { maxEntries: number }): Promise<readonly { message: string }[]>;
  /** Refreshes `state`. */
  status(): Promise<void>;
  /** New files are in `untrackedChanges` if the user lists them separately, otherwise in `workingTreeChanges`; in neither if hidden. */
  state: { workingTreeChanges: readonly GitChange[]; untrackedChanges?: readonly GitChange[] };
}

interface GitChange {
  uri: Pick<vscode.Uri, 'fsPath'>;
  status: number;
}

interface GitApi {
  repositories: readonly GitRepository[];
}

/** Throws with a message for the user if the Git extension is disabled. */
export async function gitRepositories(): Promise<readonly GitRepository[]> {
  const exported: unknown = await vscode.extensions.getExtension('vscode.git')?.activate();
  const api = isGitExtension(exported) ? exported.getAPI(1) : undefined;
  if (!isGitApi(api))
    throw new NotPossible(t('The Git extension of the editor is off. Turn on the setting git.enabled.'));
  return api.repositories;
}

/** The repositories already open; empty if the Git extension is disabled or has not started. */
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
