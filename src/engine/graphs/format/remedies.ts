import type { Remedy } from '../../content/contentProblem';

/** Returns the remedy that sets a key of a node or of the graph. `value` is YAML source text. */
export function setting(where: readonly PropertyKey[], value: string): Remedy {
  return { kind: 'set', where, value };
}

export function removing(node: string, key: string): Remedy {
  return { kind: 'remove', where: ['nodes', node, key] };
}

/** Sets the version that Cairn's additions to the format need. */
export const NEWER_VERSION = setting(['version'], '"1.1"');

/** Formats a name for YAML. */
export function yamlName(name: string): string {
  return /^[A-Za-z_][\w.-]*$/.test(name) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(name)
    ? name
    : JSON.stringify(name);
}
