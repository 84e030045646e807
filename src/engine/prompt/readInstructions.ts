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

/**
 * Reads the instruction files of the folders of a trusted workspace. What stands in another folder than the first, which comes last,
 * is named by its absolute path, as the model must write it.
 */
export async function readInstructions(
  [first, ...others]: readonly [string, ...string[]],
  ports: { files: FileSystem; paths: PathStyle },
): Promise<FoundInstructions> {
  const read = [...others, first].map(async (folder) => {
    const { instructions, problems } = await readFolder(folder, ports);
    const named = (one: Instructions) => ({ ...one, source: ports.paths.resolve(folder, one.source) });
    return { problems, instructions: folder === first ? instructions : instructions.map(named) };
  });
  const all = await Promise.all(read);
  return {
    instructions: withoutCopies(all.flatMap(({ instructions }) => instructions)),
    problems: all.flatMap(({ problems }) => problems),
  };
}

/** Reads the instruction files of a folder that exist, are not empty, and do not repeat a later one. */
async function readFolder(
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
