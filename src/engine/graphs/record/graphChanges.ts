import { sameJson } from '../../../base/sameJson';
import { yamlReady } from '../../content/yamlSource';
import { readGraph } from '../format/readGraph';
import { named } from '../validation/graphCheck';

type Fields = Readonly<Record<string, unknown>>;

/** Describes how a graph differs from an earlier text of it, in sentences; empty if only its formatting changed. */
export async function graphChanges(before: string, now: string): Promise<string> {
  await Promise.all([yamlReady(before), yamlReady(now)]);
  const [{ nodes: earlier, ...rest }, { nodes: later, ...others }] = [fieldsOf(before), fieldsOf(now)];
  const nodes = differences(earlier, later);
  const beside = differences(rest, others);
  const said = [
    listed('Changed nodes', nodes.changed),
    listed('Added nodes', nodes.added),
    listed('Removed nodes', nodes.removed),
    listed('Changed beside the nodes', [...beside.changed, ...beside.added, ...beside.removed]),
  ];
  return said.filter((text) => text !== '').join(' ');
}

function listed(what: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `${what}: ${named(names)}.`;
}

function fieldsOf(text: string): Fields & { nodes: Fields } {
  return { nodes: {}, ...readGraph(text, '').fields };
}

function differences(before: Fields, now: Fields): Record<'changed' | 'added' | 'removed', string[]> {
  const [earlier, later] = [Object.keys(before), Object.keys(now)];
  return {
    changed: earlier.filter((key) => Object.hasOwn(now, key) && !sameJson(before[key], now[key])),
    added: later.filter((key) => !Object.hasOwn(before, key)),
    removed: earlier.filter((key) => !Object.hasOwn(now, key)),
  };
}
