import { errorText } from '../../base/errors';
import {
  DEEPEST,
  EngineError,
  jsonLine,
  nesting,
  plainJson,
  problemLine,
  readYaml,
  yamlReady,
  type YamlSource,
} from '../../engine';
import type { SourceFolder } from './sourceFolder';

/** Reads a YAML file; undefined if it does not exist. Rejects with EngineError naming the line. */
export async function readYamlFile(
  source: SourceFolder,
  parts: readonly string[],
  max?: number,
): Promise<{ yaml: YamlSource; text: string; modifiedAt: number } | undefined> {
  const read = await source.readText(parts, max);
  if (!read) return undefined;
  return { ...read, yaml: await parsedYaml(read.text, source.at(...parts)) };
}

/** Parses YAML. Rejects with EngineError naming the line. */
export async function parsedYaml(text: string, path: string, firstLine = 1): Promise<YamlSource> {
  await yamlReady(text);
  const yaml = readYaml(text, { path, firstLine, lenient: true });
  const [problem] = yaml.problems;
  if (problem) throw new EngineError('invalid-input', problemLine(problem));
  return yaml;
}

/** Limits for finding line numbers, because each lookup reads all text before the value. */
const MAX_LINED = 2_000_000;
const MAX_LOOKED_UP = 500;
/** Problems reported per session. */
const MAX_TOLD = 5;

export interface JsonFile {
  data: unknown;
  modifiedAt: number;
  /** Returns the path and line of a value, or just the path if finding the line would take too long. */
  place: (where: readonly PropertyKey[]) => string;
}

/** Reads a JSON file, with or without comments; undefined if it does not exist. Rejects with EngineError. */
export async function readJsonFile(
  source: SourceFolder,
  parts: readonly string[],
  max?: number,
): Promise<JsonFile | undefined> {
  const read = await source.readText(parts, max);
  if (!read) return undefined;
  const file = source.at(...parts);
  const json = plainJson(read.text);
  let lookedUp = 0;
  return {
    data: parsedJson(read.text, file),
    modifiedAt: read.modifiedAt,
    place: (where) =>
      json.length > MAX_LINED || ++lookedUp > MAX_LOOKED_UP ? file : `${file}:${jsonLine(json, where)}`,
  };
}

/** Describes the first issue, with its field. */
export function issueText({
  issues: [issue],
}: {
  issues: readonly { path: readonly PropertyKey[]; message: string }[];
}): string {
  const where = issue && issue.path.length > 0 ? `${issue.path.map(String).join('.')}: ` : '';
  return `${where}${issue?.message ?? 'not understood'}`;
}

/** Parses JSON. Throws EngineError. */
function parsedJson(text: string, where: string): unknown {
  const json = plainJson(text);
  if (nesting(json).deepest > DEEPEST) {
    throw new EngineError('invalid-input', `${where} is nested too deeply (more than ${DEEPEST} levels).`);
  }
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    throw new EngineError('invalid-input', `${where} is not JSON (${errorText(error)}).`);
  }
}

/** Returns the first few problems and how many more there are. */
export function fewOf(problems: readonly string[]): readonly string[] {
  const more = problems.length - MAX_TOLD;
  return more > 0 ? [...problems.slice(0, MAX_TOLD), `${more} more of it could not be read.`] : problems;
}

/**
 * Calls `onValue` for each readable line of a JSON lines file. Returns the problems of the others: the first few individually,
 * the rest as a count.
 */
export async function sessionLines(
  source: SourceFolder,
  parts: readonly string[],
  onValue: (value: unknown) => void,
): Promise<readonly string[]> {
  const file = source.at(...parts);
  const problems: string[] = [];
  await source.lines(parts, (line, number) => {
    if (line === '' || line?.trim() === '') return;
    const problem = line === null ? 'it is too long (more than 16 MB)' : valueOf(line, onValue);
    if (problem !== undefined) problems.push(`${file}:${number}: ${problem}, so it was left out.`);
  });
  return fewOf(problems);
}

function valueOf(line: string, onValue: (value: unknown) => void): string | undefined {
  try {
    if (nesting(line).deepest > DEEPEST) return `it is nested too deeply (more than ${DEEPEST} levels)`;
    onValue(JSON.parse(line));
    return undefined;
  } catch (error) {
    return `it is not JSON (${errorText(error)})`;
  }
}
