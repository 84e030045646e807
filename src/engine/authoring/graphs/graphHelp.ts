import * as z from '../../../base/zod';
import written from '../../../../assets/help/graph.yaml';
import { schemaChoices, schemaKeys, schemaShape } from '../../content/schemaKeys';
import { graphFieldsSchema } from '../../graphs/format/graphFields';
import { addedFields, nodeSchemas } from '../../graphs/format/nodeFields';
import { GRAPH_VERSIONS, NODE_TYPES, type NodeType } from '../../graphs/graph';
import type { HelpKey, HelpName, HelpNames, WritingHelp } from '../contentHelp';
import { type GraphOutline, outlineOf } from './graphOutline';

const textsSchema = z.object({ graph: z.record(z.string(), z.string()), node: z.record(z.string(), z.string()) });
/** Descriptions of the keys of a graph and of its nodes. */
export const GRAPH_TEXTS = textsSchema.parse(written);

type Where = readonly PropertyKey[];

/** Names of the files and servers around a graph. */
export interface GraphNeighbours {
  scripts(): Promise<readonly string[]>;
  servers(): Promise<readonly string[]>;
}

/** Completions and descriptions for `graph.yaml` while it is being edited. A place is the keys and indexes that lead to it. */
export class GraphHelp implements WritingHelp {
  private readonly outline: GraphOutline;

  constructor(
    text: string,
    private readonly names: HelpNames,
    private readonly around: GraphNeighbours,
  ) {
    this.outline = outlineOf(text);
  }

  keys(where: Where): Promise<HelpKey[]> {
    const [field, id, ...rest] = where;
    const isNode = field === 'nodes';
    if (isNode && id === undefined) return Promise.resolve([]);
    const found = isNode ? this.nodeKeys(String(id), rest) : schemaKeys(graphFieldsSchema, where);
    const keys = found.map((name): HelpKey => ({
      name,
      description: this.describe([...where, name]) ?? '',
      shape: this.shape([...where, name]),
    }));
    return Promise.resolve(keys);
  }

  async values(where: Where): Promise<readonly HelpName[]> {
    const [field, id, key] = where;
    if (field !== 'nodes') return [...this.choices(where), ...(await this.graphNames(String(field), where.length))];
    if (typeof key !== 'string') return [];
    return [...this.choices(where), ...(await this.nodeNames(String(id), key, where.length))];
  }

  describe(where: Where): string | undefined {
    const names = where.filter((step) => typeof step !== 'number').map(String);
    const [field, , ...rest] = names;
    if (field !== 'nodes' || names.length === 1) return textAt(GRAPH_TEXTS.graph, names);
    return textAt(GRAPH_TEXTS.node, rest);
  }

  /** Returns the state keys that templates may name, with the nodes that write them. */
  references(): readonly HelpName[] {
    return this.outline.keys;
  }

  /** Returns the keys of a node, those specific to its type first. */
  private nodeKeys(id: string, rest: Where): string[] {
    const type = this.typeOf(id);
    if (rest.length > 0) return type ? schemaKeys(nodeSchemas[type], rest) : [];
    if (!type) return ['type'];
    const all = schemaKeys(nodeSchemas[type], []);
    // The schemas list the keys that all nodes share before `type`.
    const own = all.slice(all.indexOf('type'));
    const goesOn = type === 'end' || type === 'approval' ? [] : ['next'];
    const others = all.filter((key) => key !== 'id' && key !== 'next');
    const added = this.outline.version === '1.0' ? new Set(addedFields(type)) : undefined;
    return [...new Set([...own, ...goesOn, 'state_updates', ...others])].filter((key) => !added?.has(key));
  }

  private typeOf(id: string): NodeType | undefined {
    const type = this.outline.nodes.find((node) => node.id === id)?.type;
    return NODE_TYPES.find((one) => one === type);
  }

  private shape(where: Where): HelpKey['shape'] {
    const [field, id, ...rest] = where;
    if (field !== 'nodes' || id === undefined) return schemaShape(graphFieldsSchema, where);
    const type = this.typeOf(String(id));
    // `next` may be a list, but usually names a single node.
    return type && rest[0] !== 'next' ? schemaShape(nodeSchemas[type], rest) : 'value';
  }

  private choices(where: Where): HelpName[] {
    const [field, id, ...rest] = where;
    const type = field === 'nodes' ? this.typeOf(String(id)) : undefined;
    const found =
      field === 'nodes'
        ? type
          ? schemaChoices(nodeSchemas[type], rest)
          : []
        : schemaChoices(graphFieldsSchema, where);
    return found.map((name) => ({ name, description: '' }));
  }

  private async graphNames(key: string, depth: number): Promise<readonly HelpName[]> {
    if (depth > 2) return [];
    switch (key) {
      case 'start':
        return this.ids();
      case 'version':
        return GRAPH_VERSIONS.map((version) => ({ name: `"${version}"`, description: '' }));
      case 'mcp_servers':
        return plain(await this.around.servers());
      case 'global_tools':
        return this.names.tools();
      default:
        return this.commonNames(key);
    }
  }

  private async nodeNames(id: string, key: string, depth: number): Promise<readonly HelpName[]> {
    if (depth > (key === 'routes' ? 5 : 4)) return [];
    switch (key) {
      case 'type':
        return plain(NODE_TYPES);
      case 'next':
      case 'fallback':
      case 'branch':
      case 'on_other':
      case 'routes':
        return this.ids().filter(({ name }) => name !== id);
      case 'agent':
        return this.names.agents();
      case 'script':
        return plain(await this.around.scripts());
      case 'tools':
        return [...this.names.tools(), ...plain((await this.around.servers()).map((server) => `mcp:${server}`))];
      default:
        return this.commonNames(key);
    }
  }

  private async commonNames(key: string): Promise<readonly HelpName[]> {
    if (key === 'model') return this.names.models();
    return key === 'enabled_skills' ? this.names.skills() : [];
  }

  private ids(): HelpName[] {
    return this.outline.nodes.map(({ id, type, description }) => ({
      name: id,
      description: [type, description].filter((one) => one !== undefined).join(': '),
    }));
  }
}

function plain(names: readonly string[]): HelpName[] {
  return names.map((name) => ({ name, description: '' }));
}

function textAt(texts: Readonly<Record<string, string>>, names: readonly string[]): string | undefined {
  const key = names.join('.');
  return Object.hasOwn(texts, key) ? texts[key] : undefined;
}
