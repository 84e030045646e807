import type { FileSystem, PathStyle } from '../../ports';
import type { ToolFailure } from '../toolFailure';
import type { ResolvedPath } from './resolvePath';

/** What a model is told of a path that does not exist. What looks around is loaded with the first. */
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
