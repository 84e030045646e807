import { INSTRUCTION_CONFIGS, INSTRUCTION_FILES } from '../content/contentRoots';
import type { FileSystem, PathStyle } from '../ports';
import {
  type FoundInstructions,
  type Instructions,
  namesIn,
  readInstructionFile,
  shortened,
  withoutCopies,
} from './instructions';

/** Files that may import others with `@path`. */
const IMPORTS: ReadonlySet<string> = new Set(['.goosehints', 'GEMINI.md', 'CLAUDE.md', 'CLAUDE.local.md']);

const FOLDER = ['is-directory'] as const;

/** Reads the instruction files of a trusted workspace that exist, are not empty, and do not repeat a later one. */
export async function readInstructions(
  workspace: string,
  ports: { files: FileSystem; paths: PathStyle },
): Promise<FoundInstructions> {
  const place = { workspace, ports };
  const problems: string[] = [];
  const present = await namesIn('.', [...INSTRUCTION_CONFIGS, ...INSTRUCTION_FILES], place);
  const read = present.map(async (source): Promise<Instructions[]> => {
    if (INSTRUCTION_CONFIGS.includes(source)) {
      const named = await (await import('./importedInstructions')).configuredInstructions(source, place);
      problems.push(...named.problems);
      return [...named.instructions];
    }
    const { text, problems: own } = await readInstructionFile(source, place, source === '.clinerules' ? FOLDER : []);
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
