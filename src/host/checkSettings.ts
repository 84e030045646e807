import { t } from '../base/l10n';
import { type EngineSettings, engineSettingsSchema } from '../engine';

export interface CheckedSettings {
  settings: EngineSettings;
  /** One message per invalid value, naming its setting. */
  problems: readonly string[];
}

/** With more invalid values than this, all settings fall back to their defaults. */
const MAX_PROBLEMS = 50;

/** Validates the values under `cairn.*`. Invalid ones are reported and dropped, without affecting valid ones next to them. */
export function checkSettings(raw: unknown): CheckedSettings {
  const schema = engineSettingsSchema();
  const problems: string[] = [];
  let rest = raw;
  while (problems.length < MAX_PROBLEMS) {
    const parsed = schema.safeParse(rest);
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
  return { settings: schema.parse({}), problems };
}

/** Replaces a removed list entry, so that later entries keep their index while problems are reported. */
const GAP = Symbol('gap');

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((entry) => entry !== GAP).map(closed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, closed(part)]));
}

/** Returns the value without the part at the path, or without its nearest existing ancestor. */
function without(value: unknown, [key, ...below]: readonly PropertyKey[]): unknown {
  if (key === undefined || typeof value !== 'object' || value === null) return undefined;
  // An error in a list entry removes the whole entry.
  if (Array.isArray(value)) return value.map((entry: unknown, index) => (index === key ? GAP : entry));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]): [string, unknown][] => {
      if (name !== String(key)) return [[name, part]];
      const left = below.length === 0 ? undefined : without(part, below);
      return left === undefined ? [] : [[name, left]];
    }),
  );
}
