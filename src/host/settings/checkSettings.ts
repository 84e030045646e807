import { t } from '../../base/l10n';
import { type EngineSettings, engineSettingsSchema } from '../../engine';

export interface CheckedSettings {
  settings: EngineSettings;
  /** A sentence for each value that does not fit, with the name of its setting. */
  problems: readonly string[];
}

/** More wrong values than this are not sorted out one by one. */
const MAX_PROBLEMS = 50;

/** What is set under `cairn.*`, without the values that do not fit: those are named, and what is right beside them stays. */
export function checkSettings(raw: unknown): CheckedSettings {
  const problems: string[] = [];
  let rest = raw;
  while (problems.length < MAX_PROBLEMS) {
    const parsed = engineSettingsSchema.safeParse(rest);
    if (parsed.success) return { settings: parsed.data, problems };
    for (const issue of parsed.error.issues) {
      const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path;
      const what = issue.message.replace(/\.$/, '');
      problems.push(
        t('Setting cairn.{0}: {1}. It is ignored until it is corrected.', path.map(String).join('.'), what),
      );
      rest = without(rest, path);
    }
    rest = closed(rest);
  }
  return { settings: engineSettingsSchema.parse({}), problems };
}

/** Stands in a list for what was taken out, so that what comes after keeps its number while problems are named. */
const GAP = Symbol('gap');

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((entry) => entry !== GAP).map(closed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, closed(part)]));
}

/** The same value without the part that the path names, or without the nearest part above it that is there. */
function without(value: unknown, [key, ...below]: readonly PropertyKey[]): unknown {
  if (key === undefined || typeof value !== 'object' || value === null) return undefined;
  // Of a list, what is wrong in one entry takes the whole entry.
  if (Array.isArray(value)) return value.map((entry: unknown, index) => (index === key ? GAP : entry));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]): [string, unknown][] => {
      if (name !== String(key)) return [[name, part]];
      const left = below.length === 0 ? undefined : without(part, below);
      return left === undefined ? [] : [[name, left]];
    }),
  );
}
