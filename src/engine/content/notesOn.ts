import type { ContentProblem } from './contentProblem';
import type { YamlSource } from './yamlSource';

/** Says of each of the keys that is there that it is for other programs: how they show content, or where they run it. */
export function notesOn(
  value: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  yaml: YamlSource,
): ContentProblem[] {
  return keys
    .filter((key) => value[key] !== undefined)
    .map((key) => ({
      ...{ kind: 'schema', severity: 'note', path: yaml.path, ...yaml.position([key], 'key') },
      message: `“${key}” is for other programs and has no effect in Cairn.`,
    }));
}
