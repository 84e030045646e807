import type { GraphNode, GraphVersion } from '../graph';
import { parseTemplate, type Reference, referencesIn } from '../state/template';

/** A template of a node. */
export interface NodeTemplate {
  /** The keys that lead to it in the node. */
  readonly where: readonly PropertyKey[];
  readonly text: string;
  readonly references: readonly Reference[];
  /** What of it is missing ends the run; else it is left out. */
  readonly isStrict: boolean;
  /** Names that only it sees, and keys that its node has written by then. */
  readonly own: ReadonlySet<string>;
}

type Written = readonly [where: readonly PropertyKey[], text: string | undefined, isStrict: boolean];

/** The names that the updates of a node see, beside the state. */
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

/** A node is looked at again for each that leads to it. */
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

/** The keys that an answer by a schema writes. */
export function schemaKeysOf(node: GraphNode): string[] {
  if (node.type !== 'llm' && node.type !== 'agent') return [];
  const properties = node.outputSchema?.['properties'];
  return typeof properties === 'object' && properties !== null && !Array.isArray(properties)
    ? Object.keys(properties)
    : [];
}

/** Every key that the file says a node writes. */
export function writtenKeys(node: GraphNode): Set<string> {
  const collected = node.type === 'map' ? [node.collectInto] : [];
  return new Set([...node.updates.map(({ key }) => key), ...schemaKeysOf(node), ...collected]);
}

/** The key of the state that a reference begins with. */
export function rootOf(path: string): string {
  return /^\w*/.exec(path)?.[0] ?? '';
}
