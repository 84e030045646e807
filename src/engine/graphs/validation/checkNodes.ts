import { isRecord } from '../../../base/isRecord';
import { fallbackOf, itemNodes } from '../edges';
import { removing } from '../format/readGraph';
import {
  type AgentNode,
  answerProblem,
  type ApprovalNode,
  type GraphNode,
  type InputNode,
  type LlmNode,
  type MapNode,
  type RagNode,
  type ScriptNode,
} from '../graph';
import { patternProblem } from '../../tools/schemaPatterns';
import { schemaKeysOf } from './checkTemplates';
import { type GraphCheck, inNode, named, nodeItself, STEPS_OF_ITEM, writtenOf } from './graphCheck';

/** Checks each node by itself. */
export function checkNodes(check: GraphCheck): void {
  const { fields, found, graph } = check;
  if (fields.settings?.max_concurrency === 0) {
    const message = '“max_concurrency” is 0, so nothing can run. Set it to at least 1, or remove it.';
    found.add('error', { where: ['settings', 'max_concurrency'] }, message);
  }
  for (const node of graph.nodes.values()) checkNode(node, check);
  noteConsents(check);
}

/** Notes each script before which a run asks, at the first node that runs it. */
function noteConsents({ graph, world, found }: GraphCheck): void {
  const told = new Set<string>();
  for (const node of graph.nodes.values()) {
    if (node.type !== 'script' || told.has(node.script)) continue;
    told.add(node.script);
    const seen = world.scripts?.get(node.script);
    if (seen?.kind !== 'text' || seen.consent === undefined) continue;
    const why = seen.consent === 'unseen' ? 'has not been allowed yet' : 'has changed since it was allowed';
    const message = `${node.script} ${why}. A run shows it and asks first; where nobody can answer, the script does not run.`;
    found.add('note', inNode(node.id, 'script'), message);
  }
}

function checkNode(node: GraphNode, check: GraphCheck): void {
  switch (node.type) {
    case 'script':
      return checkScript(node, check);
    case 'approval':
      return checkApproval(node, check);
    case 'rag':
      return checkRag(node, check);
    case 'llm':
      return checkLlm(node, check);
    case 'map':
      return checkMap(node, check);
    case 'agent':
      return checkSchema(node, check);
    case 'input':
      return checkInput(node, check);
    case 'command':
    case 'end':
      return;
  }
}

const LANGUAGES = /\.(?:sh|py|ts|js)$/i;

function checkScript({ id, script }: ScriptNode, { world, found }: GraphCheck): void {
  const place = inNode(id, 'script');
  const seen = world.scripts?.get(script);
  const isLink = (to: string) => `${script} is a link to ${to}`;
  if (seen?.kind === 'missing') {
    const message = seen.link
      ? `${isLink(seen.link.to)}, which does not exist. Put the script itself in its place.`
      : `The agent’s folder has no file ${script}. Create it, or correct the path.`;
    found.add('error', place, message);
  } else if (seen?.kind === 'unreadable') {
    const what = seen.link ? `${isLink(seen.link.to)} and` : script;
    found.add(found.hole, place, `${what} cannot be read: ${seen.why}`);
  } else if (seen?.kind === 'outside') {
    const message = `${script} is outside the agent’s folder: it is ${seen.at}. Put scripts next to graph.yaml.`;
    found.add('warning', place, message);
  } else if (seen?.link) {
    const { to, isOutside } = seen.link;
    const message = `${isLink(to)}${isOutside ? ', outside the agent’s folder' : ''}. Put the script itself in its place.`;
    found.add(isOutside ? 'warning' : 'note', place, message);
  }
  if (!LANGUAGES.test(script)) {
    const message = `The language of ${script} is unknown. Its name must end in .sh, .py, .ts, or .js.`;
    found.add(found.hole, place, message);
  }
}

function checkApproval(node: ApprovalNode, { found }: GraphCheck): void {
  const { id, options, routes } = node;
  const offered = new Set(options);
  for (const [index, option] of options.entries()) {
    if (routes.has(option)) continue;
    const message = `The option “${option}” has no route. Add one under “routes”.`;
    found.add('error', inNode(id, 'options', index), message);
  }
  for (const answer of routes.keys()) {
    if (offered.has(answer)) continue;
    found.unknown(
      'warning',
      { ...inNode(id, 'routes', answer), part: 'key' },
      {
        written: answer,
        says: `The route “${answer}” is not an option, so it is taken only if someone types it.`,
        known: options,
        remedy: 'Add the option, or remove the route.',
      },
    );
  }
  if (node.default !== undefined && !offered.has(node.default)) {
    found.unknown('warning', inNode(id, 'default'), {
      written: node.default,
      says: `“default” is “${node.default}”, which is not an option, so it leads to “on_other”.`,
      known: options,
      remedy: `The options are ${named(options)}.`,
    });
  }
}

function checkRag({ id, documents, updates }: RagNode, { found }: GraphCheck): void {
  const later =
    'Cairn has no knowledge bases yet, so the run fails here. Use an agent or llm node that reads the documents.';
  found.add('warning', nodeItself(id), `“${id}” is a rag node. ${later}`);
  if (documents.length === 0) {
    const message = `“${id}” has no documents to search. Name at least one file, folder, or address.`;
    found.add('error', inNode(id, 'documents'), message);
  }
  if (updates.length === 0) {
    const remedy = 'Write it under “state_updates”, for example found: "{{output.context}}".';
    found.add('warning', nodeItself(id), `What “${id}” finds is not saved. ${remedy}`);
  }
}

function checkLlm(node: LlmNode, check: GraphCheck): void {
  const { id, maxAttempts, maxIterations } = node;
  const { found } = check;
  checkSchema(node, check);
  for (const [field, most] of [
    ['max_attempts', maxAttempts],
    ['max_iterations', maxIterations],
  ] as const) {
    if (most > 0) continue;
    const message = `“${field}” is 0, so it may not ask a model. Set it to at least 1, or remove it.`;
    found.add(found.hole, inNode(id, field), message);
  }
}

function checkInput({ id, check, default: given }: InputNode, { found }: GraphCheck): void {
  // The value of a template is known only at run time.
  const problem = check && given && !given.includes('{{') ? answerProblem(check, given) : undefined;
  if (problem !== undefined) found.add('warning', inNode(id, 'default'), `“default” fails “validation”: ${problem}`);
}

const SCHEMA_TYPES: readonly unknown[] = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
/** Keywords of JSON Schema that contain schemas: one, a list, or a map by name. */
const WITH_SCHEMAS = [
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'anyOf',
  'oneOf',
  'allOf',
  'prefixItems',
];
const SCHEMAS = ['items', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else'];

/** An unknown type would be rejected, or never match, only after a model has answered. */
function checkSchema({ id, outputSchema }: LlmNode | AgentNode, { found }: GraphCheck): void {
  const waiting: { schema: unknown; where: readonly PropertyKey[] }[] = [{ schema: outputSchema, where: [] }];
  for (let at = waiting.pop(); at && found.mayTake(1); at = waiting.pop()) {
    const { schema, where } = at;
    if (!isRecord(schema)) continue;
    const type = schema['type'];
    for (const [index, one] of (Array.isArray(type) ? type : [type]).entries()) {
      if (typeof one !== 'string' || SCHEMA_TYPES.includes(one)) continue;
      found.unknown(
        found.hole,
        inNode(id, 'output_schema', ...where, 'type', ...(Array.isArray(type) ? [index] : [])),
        {
          written: one,
          says: `JSON Schema has no type “${one}”, so nothing fits it.`,
          known: SCHEMA_TYPES.map(String),
          remedy: `The types are ${SCHEMA_TYPES.join(', ')}.`,
        },
      );
    }
    const { pattern, patternProperties } = schema;
    const patterns = [
      ...(typeof pattern === 'string' ? [{ pattern, place: inNode(id, 'output_schema', ...where, 'pattern') }] : []),
      ...(isRecord(patternProperties) ? Object.keys(patternProperties) : []).map((one) => ({
        pattern: one,
        place: { ...inNode(id, 'output_schema', ...where, 'patternProperties', one), part: 'key' as const },
      })),
    ];
    for (const one of patterns) {
      const problem = patternProblem(one.pattern);
      if (problem !== undefined) found.add(found.hole, one.place, problem);
    }
    for (const key of SCHEMAS) if (isRecord(schema[key])) waiting.push({ schema: schema[key], where: [...where, key] });
    for (const key of WITH_SCHEMAS) {
      const inner = schema[key];
      if (!isRecord(inner)) continue;
      for (const [name, one] of Object.entries(inner)) {
        waiting.push({ schema: one, where: [...where, key, Array.isArray(inner) ? Number(name) : name] });
      }
    }
  }
}

function checkMap(node: MapNode, check: GraphCheck): void {
  const { graph, found } = check;
  if (writtenOf(check, node.id, 'max_concurrency') === 0) {
    const message = '“max_concurrency” is 0, so no item may run. Set it to at least 1, or remove it.';
    found.add('error', inNode(node.id, 'max_concurrency'), message);
  }
  const branch = graph.nodes.get(node.branch);
  if (!branch) return;
  const why = noBranch(branch);
  if (why !== undefined) {
    const message = `“${branch.id}” cannot be run for each item: ${why}. Use a script, llm, agent or rag node.`;
    found.add('error', inNode(node.id, 'branch'), message);
    return;
  }
  const nodes = itemNodes(node, graph);
  if (found.isFull || !found.mayTake(nodes.length * STEPS_OF_ITEM)) return;
  const last = nodes.at(-1);
  for (const one of nodes) checkBranch(one, node, check);
  if (last) checkFallback(last, new Set(nodes), node, check);
}

/** Returns why a node cannot be the branch of a map; undefined if it can. */
function noBranch({ type }: GraphNode): string | undefined {
  switch (type) {
    case 'approval':
    case 'input':
      return 'it would ask many questions at once';
    case 'end':
      return 'a branch ends when its item is collected';
    case 'map':
      return 'a map cannot run another map';
    case 'script':
    case 'command':
    case 'llm':
    case 'agent':
    case 'rag':
      return undefined;
  }
}

function checkBranch(branch: GraphNode, map: MapNode, check: GraphCheck): void {
  const { found, graph } = check;
  const { id } = branch;
  const key = map.outputKey ?? 'output';
  if ('next' in branch && branch.next.length > 0) {
    const message = `“${id}” is run by the map “${map.id}” for each item, so it has no next node. Remove “next”.`;
    found.add('error', { ...inNode(id, 'next'), part: 'key' }, message, removing(id, 'next'));
  }
  for (const update of branch.updates) {
    if (update.key === key) continue;
    const remedy = `Write “${key}”, which the map collects, or collect “${update.key}” by its “output_key”.`;
    const message = `What “${id}” writes to “${update.key}” is lost, because the map “${map.id}” runs it. ${remedy}`;
    found.add('error', { ...inNode(id, 'state_updates', update.key), part: 'key' }, message);
  }
  const properties = schemaKeysOf(branch);
  if (graph.version === '1.0' && properties.length > 0) {
    const message = `In version 1.0 a branch of a map has no “output_schema” with keys (${named(properties)}). Write version: "1.1".`;
    found.add('error', { ...inNode(id, 'output_schema'), part: 'key' }, message);
  }
  const isWritten = branch.updates.some((update) => update.key === key) || properties.includes(key);
  if (map.outputKey !== undefined && branch.type !== 'script' && !isWritten) {
    const message = `The map collects “${key}”, and “${id}” does not write it. Write it under “state_updates” of “${id}”.`;
    found.add(found.hole, inNode(map.id, 'output_key'), message);
  }
}

/** For an item, a map does not run a fallback with a `next` of its own, or of a type it cannot run. */
function checkFallback(
  branch: GraphNode,
  nodes: ReadonlySet<GraphNode>,
  map: MapNode,
  { found, graph }: GraphCheck,
): void {
  const fallback = graph.nodes.get(fallbackOf(branch) ?? '');
  if (!fallback || nodes.has(fallback)) return;
  const { id } = fallback;
  const remedy = `Route to a script, llm, agent, or command node without “next” to run it for the item.`;
  const message = `Where “${branch.id}” fails for an item, the map “${map.id}” collects the error and continues; “${id}” does not run. ${remedy}`;
  found.add('warning', inNode(branch.id, 'fallback'), message);
}
