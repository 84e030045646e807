import type { GraphNode, GraphVersion } from '../graph';
import { parseTemplate, type Reference, referencesIn } from '../state/template';

/** A template in a node. */
export interface NodeTemplate {
  /** The keys that lead to it within the node. */
  readonly where: readonly PropertyKey[];
  readonly text: string;
  readonly references: readonly Reference[];
  /** Whether a missing value ends the run; otherwise it becomes empty. */
  readonly isStrict: boolean;
  /** Names that only this template sees, and keys that its node has written by then. */
  readonly own: ReadonlySet<string>;
}

type Written = readonly [where: readonly PropertyKey[], text: string | undefined, isStrict: boolean];

/** Names that a node's updates see in addition to the state. */
export const OWN_NAMES: Readonly<Record<GraphNode['type'], readonly string[]>> = {
  llm: ['output'],
  agent: ['output'],
  rag: ['output'],
  map: ['output'],
  approval: ['choice'],
  input: ['input'],
  command: ['command', 'exit_code', 'output'],
  script: [],
  end: [],
};

const NOTHING: ReadonlySet<string> = new Set();

/** Cached, since a node is checked again for each one that leads to it. */
const known = new WeakMap<GraphNode, readonly NodeTemplate[]>();

export function templatesOf(node: GraphNode, version: GraphVersion): readonly NodeTemplate[] {
  const templates = known.get(node) ?? readTemplates(node, version);
  known.set(node, templates);
  return templates;
}

function readTemplates(node: GraphNode, version: GraphVersion): NodeTemplate[] {
  const own = new Set([...OWN_NAMES[node.type], ...schemaKeysOf(node)]);
  const updates = node.updates.map(({ key, template }): Written => [['state_updates', key], template, false]);
  const after = node.type === 'end' ? new Set(node.updates.map(({ key }) => key)) : NOTHING;
  return [...parsed(textsOf(node), version, after), ...parsed(updates, version, own)];
}

function parsed(all: readonly Written[], version: GraphVersion, own: ReadonlySet<string>): NodeTemplate[] {
  return all.flatMap(([where, text, isStrict]) =>
    text === undefined || !text.includes('{{')
      ? []
      : [{ where, text, references: referencesIn(parseTemplate(text, version)), isStrict, own }],
  );
}

function textsOf(node: GraphNode): Written[] {
  switch (node.type) {
    case 'llm':
      return [
        [['prompt'], node.prompt, true],
        [['instructions'], node.instructions, true],
      ];
    case 'agent':
      return [[['prompt'], node.prompt, true]];
    case 'rag':
      return [[['query'], node.query, true]];
    case 'map':
      return [[['over'], node.over, true]];
    case 'input':
      return [
        [['question'], node.question, true],
        [['default'], node.default, false],
      ];
    case 'approval':
      return [[['question'], node.question, true]];
    case 'command':
      return [[['command'], node.command, true]];
    case 'end':
      return [[['output'], node.output, false]];
    case 'script':
      return [];
  }
}

/** Returns the keys that are written by an answer with a schema. */
export function schemaKeysOf(node: GraphNode): string[] {
  if (node.type !== 'llm' && node.type !== 'agent') return [];
  const properties = node.outputSchema?.['properties'];
  return typeof properties === 'object' && properties !== null && !Array.isArray(properties)
    ? Object.keys(properties)
    : [];
}

/** Returns every key that a node writes according to the file. */
export function writtenKeys(node: GraphNode): Set<string> {
  const collected = node.type === 'map' ? [node.collectInto] : [];
  return new Set([...node.updates.map(({ key }) => key), ...schemaKeysOf(node), ...collected]);
}

/** Returns the state key that a reference starts with. */
export function rootOf(path: string): string {
  return /^\w*/.exec(path)?.[0] ?? '';
}
