import { type AnyTool, type OnRequestParts, onRequestTools } from '../../engine';
import { type NodeProgramParts, nodeToolPrograms } from './nodeToolPrograms';

/** The tools that only those have who name them, on this machine. */
export function nodeOnRequestTools(
  parts: Omit<OnRequestParts, 'programs' | 'environment'> & NodeProgramParts,
): readonly AnyTool[] {
  return onRequestTools({ ...parts, environment: parts.env, programs: nodeToolPrograms(parts) });
}
