import { errorText } from '../../base/errors';
import { unseenLines } from '../../base/shown/safeText';
import { truncateMiddle } from '../../base/truncate';
import { EngineError } from '../engineError';
import { readRepositoryFile } from '../permissions/repositoryFile';
import type { FileSystem, PathStyle } from '../ports';
import { type FoundInstructions, type Instructions, unseenText, withoutCopies } from './instructions';

/** In the order in which the model gets them; the file closest to Cairn's own convention comes last, with the most weight. */
export const INSTRUCTION_FILES = ['.github/copilot-instructions.md', 'GEMINI.md', 'CLAUDE.md', 'AGENTS.md'];

/** Folders of rules that declare which files they apply to. */
export const RULE_FOLDERS = ['.github/instructions', '.claude/rules', '.cursor/rules'];

/** Files that may import others with `@path`. */
const IMPORTS: ReadonlySet<string> = new Set(['CLAUDE.md', 'GEMINI.md']);

/** Limit per file. */
const MAX_CHARACTERS = 24_000;

/** Reads the instruction files of a trusted workspace that exist, are not empty, and do not repeat a later one. */
export async function readInstructions(
  workspace: string,
  ports: { files: FileSystem; paths: PathStyle },
): Promise<FoundInstructions> {
  const problems: string[] = [];
  const read = INSTRUCTION_FILES.map(async (source): Promise<Instructions[]> => {
    try {
      const bytes = await readRepositoryFile(ports.paths.resolve(workspace, source), workspace, ports);
      const whole = new TextDecoder().decode(bytes);
      const [unseen] = unseenLines(whole);
      if (unseen) problems.push(unseenText(source, unseen));
      const text = whole.trim();
      if (text === '') return [];
      const own = { source, text: truncateMiddle(text, MAX_CHARACTERS).text };
      if (!IMPORTS.has(source) || !text.includes('@')) return [own];
      const imported = await (await import('./importedInstructions')).importedInstructions(own, workspace, ports);
      problems.push(...imported.problems);
      return [...imported.instructions, own];
    } catch (error) {
      if (!EngineError.is(error, 'not-found') && !EngineError.is(error, 'not-directory'))
        problems.push(`The instructions in ${source} were left out: ${errorText(error)}`);
      return [];
    }
  });
  return { instructions: withoutCopies((await Promise.all(read)).flat()), problems };
}
