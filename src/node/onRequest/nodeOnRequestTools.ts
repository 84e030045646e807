import { type AnyTool, type OnRequestParts, onRequestTools } from '../../engine';

/** The tools that only those have who name them, on this machine. */
export function nodeOnRequestTools(parts: OnRequestParts): readonly AnyTool[] {
  return onRequestTools(parts);
}
