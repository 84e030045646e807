import { errorText } from '../../base/errorText';
import { type UnseenLine, unseenLines } from '../../base/shown/unseenLines';
import { truncateMiddle } from '../../base/truncate';
import { EngineError } from '../engineError';
import { readRepositoryFile } from '../permissions/repositoryFile';
import type { FileSystem, PathStyle } from '../ports';

/** In the order they are told to the model; what stands nearer to the tool's own name comes last and so weighs most. */
export const INSTRUCTION_FILES = ['.github/copilot-instructions.md', 'CLAUDE.md', 'AGENTS.md'];

/** Folders whose files say for which files of the workspace they count. */
export const RULE_FOLDERS = ['.github/instructions', '.claude/rules', '.cursor/rules'];

/** As much as is taken of one file. */
const MAX_CHARACTERS = 24_000;

/** What a workspace says about how to work in it. */
export interface Instructions {
  /** From the workspace. */
  source: string;
  text: string;
}

export interface FoundInstructions {
  instructions: readonly Instructions[];
  /** Why a file that is there was left out, and what a person does not see of one, a sentence each. */
  problems: readonly string[];
}

/** The instruction files of a trusted workspace that are there and not empty. */
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
      return text === '' ? [] : [{ source, text: truncateMiddle(text, MAX_CHARACTERS).text }];
    } catch (error) {
      if (!EngineError.is(error, 'not-found') && !EngineError.is(error, 'not-directory'))
        problems.push(`The instructions in ${source} were left out: ${errorText(error)}`);
      return [];
    }
  });
  return { instructions: (await Promise.all(read)).flat(), problems };
}

/** What a person does not see of a file and the model reads. */
export function unseenText(source: string, { line, marks }: UnseenLine): string {
  return `${source} has in line ${line} what the model reads and you do not see: ${marks}. Look at it before you go on.`;
}
