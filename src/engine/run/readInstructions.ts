import { truncateMiddle } from '../../base/truncate';
import { EngineError } from '../engineError';
import type { FileSystem, Log, PathStyle } from '../ports';

/** In the order they are told to the model; what stands nearer to the tool's own name comes last and so weighs most. */
export const INSTRUCTION_FILES = ['.github/copilot-instructions.md', 'CLAUDE.md', 'AGENTS.md'];

/** As much as is taken of one file. */
const MAX_CHARACTERS = 24_000;

/** What a workspace says about how to work in it. */
export interface Instructions {
  /** From the workspace. */
  source: string;
  text: string;
}

/** The instruction files of the workspace that are there and not empty. One that cannot be read is told to the log. */
export async function readInstructions(
  workspace: string,
  { files, paths, log }: { files: FileSystem; paths: PathStyle; log: Log },
): Promise<Instructions[]> {
  const read = INSTRUCTION_FILES.map(async (source): Promise<Instructions[]> => {
    try {
      const bytes = await files.readFile(paths.resolve(workspace, source));
      const text = new TextDecoder().decode(bytes).trim();
      return text === '' ? [] : [{ source, text: truncateMiddle(text, MAX_CHARACTERS).text }];
    } catch (error) {
      if (!EngineError.is(error, 'not-found'))
        log.warn(`The instructions in ${source} were left out: ${String(error)}`);
      return [];
    }
  });
  return (await Promise.all(read)).flat();
}
