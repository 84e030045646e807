import type { FileSystem, PathStyle } from '../../ports';
import type { ToolFailure } from '../toolOutput';
import type { ResolvedPath } from './resolvePath';

/** Returns the failure for a model about a path that does not exist. The code that looks for alternatives is loaded on first use. */
export async function missingPath(
  files: FileSystem,
  paths: PathStyle,
  workspace: string,
  missing: ResolvedPath,
  kind: 'file' | 'folder',
): Promise<ToolFailure> {
  const { pathAdvice } = await import('./pathAdvice');
  return pathAdvice(files, paths, workspace, missing, kind);
}
