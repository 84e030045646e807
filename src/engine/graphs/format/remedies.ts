import type { Remedy } from '../../content/contentProblem';

/** What a finding is cured by: a key of a node, or one beside the nodes, with what it is to say as it stands in YAML. */
export function setting(where: readonly PropertyKey[], value: string): Remedy {
  return { kind: 'set', where, value };
}

export function removing(node: string, key: string): Remedy {
  return { kind: 'remove', where: ['nodes', node, key] };
}

/** What of Cairn's own a graph says needs this version. */
export const NEWER_VERSION = setting(['version'], '"1.1"');

/** A name as it stands in YAML. */
export function yamlName(name: string): string {
  return /^[A-Za-z_][\w.-]*$/.test(name) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(name)
    ? name
    : JSON.stringify(name);
}
