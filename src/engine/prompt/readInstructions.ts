import { INSTRUCTION_FILES } from '../content/contentRoots';
import type { FileSystem, PathStyle } from '../ports';
import {
  type FoundInstructions,
  type Instructions,
  readInstructionFile,
  shortened,
  withoutCopies,
} from './instructions';

/** Files that may import others with `@path`. */
const IMPORTS: ReadonlySet<string> = new Set(['CLAUDE.md', 'GEMINI.md']);

/** Reads the instruction files of a trusted workspace that exist, are not empty, and do not repeat a later one. */
export async function readInstructions(
  workspace: string,
  ports: { files: FileSystem; paths: PathStyle },
): Promise<FoundInstructions> {
  const place = { workspace, ports };
  const problems: string[] = [];
  const read = INSTRUCTION_FILES.map(async (source): Promise<Instructions[]> => {
    const { text, problems: own } = await readInstructionFile(source, place);
    problems.push(...own);
    if (text === '') return [];
    const file = { source, text: shortened(text) };
    if (!IMPORTS.has(source) || !text.includes('@')) return [file];
    const imported = await (await import('./importedInstructions')).importedInstructions(file, place);
    problems.push(...imported.problems);
    return [...imported.instructions, file];
  });
  return { instructions: withoutCopies((await Promise.all(read)).flat()), problems };
}
