import { errorText } from '../../base/errors';
import { isRecord } from '../../base/isRecord';
import { plainJson } from '../mcp/plainJson';
import { DEEPEST, nesting } from '../messages/nesting';
import { jsonLine } from '../permissions/jsonLine';
import { holdsSecrets, readRepositoryFile } from '../permissions/repositoryFile';
import type { FileSystem, PathStyle } from '../ports';
import { decodeText } from '../tools/files/formats/textFile';
import type { ContentProblem } from './contentProblem';
import type { ContentRoot } from './contentRoots';
import { readOnce } from '../readOnce';
import { notText, readProblem, readText } from './readText';
import type { YamlSource } from './yamlSource';

interface Ports {
  files: FileSystem;
  paths: PathStyle;
}

/** An agent or a command in the settings. */
interface ConfigEntry {
  name: string;
  /** The key under which it is. */
  key: string;
  value: Readonly<Record<string, unknown>>;
}

/** The settings of OpenCode, `opencode.json` or `opencode.jsonc`, of version 1 or 2. */
export interface OpenCodeConfig {
  data: Readonly<Record<string, unknown>>;
  problems: ContentProblem[];
  /** Returns the entries under keys such as `agent`; those that are no objects are problems. */
  entries(keys: readonly string[]): ConfigEntry[];
  /** Returns a part of the settings as content; `data` replaces its value. */
  at(where: readonly string[], data: unknown): YamlSource;
  /** Replaces `{file:./prompts/x.md}` by the file's text. What cannot be read is a problem, and left as written. */
  filled(text: string, where: readonly string[]): Promise<string>;
}

const MOST_FILES = 100;

/** Reads the settings. Reports what is invalid as problems. */
export async function readOpenCodeConfig(
  { folder: path, within }: Pick<ContentRoot, 'folder' | 'within'>,
  ports: Ports,
): Promise<OpenCodeConfig> {
  const text = await textOf(path, within, { ...ports, files: readOnce(ports.files) });
  if (typeof text !== 'string') return new Config({ path, within, json: '{}', ports }, {}, [text]);
  const json = plainJson(text);
  const data = parsed(json);
  const problems: ContentProblem[] = [];
  if (typeof data === 'string') {
    const line = jsonLine(json, []);
    problems.push({ kind: 'parse', severity: 'error', path, line, column: 1, message: data });
  }
  return new Config({ path, within, json, ports }, typeof data === 'string' ? {} : data, problems);
}

class Config implements OpenCodeConfig {
  private filesRead = 0;

  constructor(
    private readonly file: { path: string; within: string | undefined; json: string; ports: Ports },
    readonly data: Readonly<Record<string, unknown>>,
    readonly problems: ContentProblem[],
  ) {}

  entries(keys: readonly string[]): ConfigEntry[] {
    return keys.flatMap((key) => {
      const map = this.data[key];
      if (map === undefined) return [];
      if (!isRecord(map)) {
        this.tell([key], `“${key}” must be an object, so nothing in it is used.`);
        return [];
      }
      return Object.entries(map).flatMap(([name, value]): ConfigEntry[] => {
        if (isRecord(value)) return [{ name, key, value }];
        this.tell([key, name], `“${name}” must be an object, so it is not used.`);
        return [];
      });
    });
  }

  at(where: readonly string[], data: unknown): YamlSource {
    const { path, json } = this.file;
    return {
      path,
      data,
      problems: [],
      position: (inside) => ({ line: jsonLine(json, [...where, ...inside]), column: 1 }),
    };
  }

  async filled(text: string, where: readonly string[]): Promise<string> {
    let whole = text;
    for (const [written, name = ''] of text.matchAll(/\{file:([^{}\n]{1,500})\}/g)) {
      const read = await this.fileText(name.trim());
      if (read === undefined) this.tell(where, `${written} cannot be read here, so it is left as it is.`);
      else whole = whole.replace(written, () => read.trim());
    }
    return whole;
  }

  /** Reads a file next to the settings; in a workspace only files of that workspace, and none that are protected. */
  private async fileText(name: string): Promise<string | undefined> {
    const { path, within, ports } = this.file;
    if (name.startsWith('~') || ++this.filesRead > MOST_FILES) return undefined;
    const file = ports.paths.resolve(ports.paths.dirname(path), name);
    if (within !== undefined && (await holdsSecrets(ports.paths.relative(within, file)))) return undefined;
    const text = await textOf(file, within, ports);
    return typeof text === 'string' ? text : undefined;
  }

  private tell(where: readonly string[], message: string): void {
    const { path, json } = this.file;
    const line = jsonLine(json, where);
    this.problems.push({ kind: 'schema', severity: 'warning', path, line, column: 1, message });
  }
}

async function textOf(
  path: string,
  within: string | undefined,
  ports: Pick<Ports, 'paths'> & { files: ReturnType<typeof readOnce> },
): Promise<string | ContentProblem> {
  if (within === undefined) return readText(path, ports.files);
  try {
    return decodeText(await readRepositoryFile(path, within, ports))?.text ?? notText(path);
  } catch (error) {
    return readProblem(path, error);
  }
}

/** Returns the settings, or why they cannot be read. */
function parsed(json: string): Readonly<Record<string, unknown>> | string {
  if (nesting(json).deepest > DEEPEST) return `This is nested too deeply (more than ${DEEPEST} levels).`;
  try {
    const data: unknown = JSON.parse(json);
    return isRecord(data) ? data : 'The settings must be an object.';
  } catch (error) {
    return `This is not valid JSON: ${errorText(error)}.`;
  }
}
