import { errorText } from '../../base/errors';
import { type UnseenLine, unseenLines } from '../../base/shown/safeText';
import { truncateMiddle } from '../../base/truncate';
import { EngineError } from '../engineError';
import { readRepositoryFile } from '../permissions/repositoryFile';
import type { FileSystem, PathStyle } from '../ports';

/** In the order in which the model gets them; the file closest to Cairn's own convention comes last, with the most weight. */
export const INSTRUCTION_FILES = ['.github/copilot-instructions.md', 'GEMINI.md', 'CLAUDE.md', 'AGENTS.md'];

/** Folders of rules that declare which files they apply to. */
export const RULE_FOLDERS = ['.github/instructions', '.claude/rules', '.cursor/rules'];

/** Limit per file. */
const MAX_CHARACTERS = 24_000;

/** Instructions of a workspace for working in it. */
export interface Instructions {
  /** Path relative to the workspace. */
  source: string;
  text: string;
}

export interface FoundInstructions {
  instructions: readonly Instructions[];
  /** Why files were left out, and which invisible text they contain, one sentence each. */
  problems: readonly string[];
}

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
      return text === '' ? [] : [{ source, text: truncateMiddle(text, MAX_CHARACTERS).text }];
    } catch (error) {
      if (!EngineError.is(error, 'not-found') && !EngineError.is(error, 'not-directory'))
        problems.push(`The instructions in ${source} were left out: ${errorText(error)}`);
      return [];
    }
  });
  return { instructions: withoutCopies((await Promise.all(read)).flat()), problems };
}

/** Keeps the last of those with the same text: many repositories have one text under several names, as copies or links. */
export function withoutCopies(all: readonly Instructions[]): Instructions[] {
  return all.filter(({ text }, at) => all.findLastIndex((other) => other.text === text) === at);
}

/** Describes text in a file that the model reads but people cannot see. */
export function unseenText(source: string, { line, marks }: UnseenLine): string {
  return `Line ${line} of ${source} contains text that models read but people cannot see: ${marks}. Check it before you go on.`;
}
