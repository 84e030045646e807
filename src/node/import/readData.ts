import { errorText } from '../../base/errorText';
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

/** YAML of a source; undefined when there is no such file. Rejects with EngineError that names the line. */
export async function readYamlFile(
  source: SourceFolder,
  parts: readonly string[],
  max?: number,
): Promise<{ yaml: YamlSource; text: string; modifiedAt: number } | undefined> {
  const read = await source.readText(parts, max);
  if (!read) return undefined;
  return { ...read, yaml: await parsedYaml(read.text, source.at(...parts)) };
}

/** Rejects with EngineError that names the line. */
export async function parsedYaml(text: string, path: string, firstLine = 1): Promise<YamlSource> {
  await yamlReady(text);
  const yaml = readYaml(text, { path, firstLine, lenient: true });
  const [problem] = yaml.problems;
  if (problem) throw new EngineError('invalid-input', problemLine(problem));
  return yaml;
}

/** A line is found by reading all that comes before it. */
const MAX_LINED = 2_000_000;
const MAX_LOOKED_UP = 500;
/** Of the problems of one session. */
const MAX_TOLD = 5;

export interface JsonFile {
  data: unknown;
  modifiedAt: number;
  /** Path and line of a value; the path alone where it would take too long. */
  place: (where: readonly PropertyKey[]) => string;
}

/** JSON of a source, with comments too; undefined when there is no such file. Rejects with EngineError. */
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

/** What is wrong first, with the field. */
export function issueText({
  issues: [issue],
}: {
  issues: readonly { path: readonly PropertyKey[]; message: string }[];
}): string {
  const where = issue && issue.path.length > 0 ? `${issue.path.map(String).join('.')}: ` : '';
  return `${where}${issue?.message ?? 'not understood'}`;
}

/** Throws EngineError. */
export function parsedJson(text: string, where: string): unknown {
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

/** The first of them, and how many more there are. */
export function fewOf(problems: readonly string[]): readonly string[] {
  const more = problems.length - MAX_TOLD;
  return more > 0 ? [...problems.slice(0, MAX_TOLD), `${more} more of it could not be read.`] : problems;
}
