import { matchesWildcard } from '../../../base/matching';
import { COYOTE_TOOLS, mapToolNames } from '../../content/toolNames';
import { setting, yamlName } from '../format/readGraph';
import type { AgentNode, Graph, LlmNode, SkillFields } from '../graph';
import { type FilePlace, type GraphCheck, inNode, named } from './graphCheck';
import type { GraphWorld, WaitingServer } from './graphWorld';

/** Checks the agents, tools, servers, models, and skills that a graph names. */
export function checkNames(check: GraphCheck): void {
  const { graph } = check;
  checkModel(graph.model, { where: ['model'] }, check);
  checkSkills(graph.skills, (index) => ({ where: ['enabled_skills', index] }), check);
  checkServers(check);
  noteWaiting(check);
  checkCommands(check);
  for (const node of graph.nodes.values()) {
    if (node.type === 'agent') checkAgent(node, check);
    if (node.type === 'llm') checkLlm(node, check);
  }
}

const SKILL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

function checkAgent({ id, agent }: AgentNode, { world, found, ways }: GraphCheck): void {
  const place = inNode(id, 'agent');
  const round = world.agent === undefined ? undefined : roundTo(world.agent, agent, world);
  if (world.agent !== undefined && round) {
    const isCertain = round.isCertain && ways.isOnEveryWay(id);
    const { path } = round;
    const names = path.length > SHOWN ? [...path.slice(0, SHOWN), '…', world.agent] : path;
    const starts =
      path.length > 1
        ? `starts this graph’s own agent again: ${[world.agent, ...names].join(' → ')}`
        : 'starts this graph’s own agent';
    const then = isCertain ? 'which would never end' : 'which only ends if a run takes another path';
    found.add(isCertain ? found.hole : 'warning', place, `“${id}” ${starts}, ${then}. Name another agent.`);
    return;
  }
  if (!world.agents || world.agents.includes(agent)) return;
  found.unknown('error', place, {
    written: agent,
    says: `There is no agent “${agent}”.`,
    known: world.agents,
    remedy: 'Create it, or name another agent.',
  });
}

/** Maximum number of agents shown for a round. */
const SHOWN = 10;

/** Returns the shortest way on which an agent starts another one with the nodes of graphs, from the first agent to the other. */
function roundTo(
  own: string,
  first: string,
  { starts }: Pick<GraphWorld, 'starts'>,
): { path: readonly string[]; isCertain: boolean } | undefined {
  const known = new Set([first]);
  const waiting = [{ path: [first], isCertain: true }];
  for (const { path, isCertain } of waiting) {
    const last = path.at(-1) ?? '';
    if (last === own) return { path, isCertain };
    for (const next of starts?.get(last) ?? []) {
      if (known.has(next.agent)) continue;
      known.add(next.agent);
      waiting.push({ path: [...path, next.agent], isCertain: isCertain && next.isCertain });
    }
  }
  return undefined;
}

function checkLlm(node: LlmNode, check: GraphCheck): void {
  const { id, model, skills, tools } = node;
  checkModel(model, inNode(id, 'model'), check);
  checkSkills(skills, (index) => inNode(id, 'enabled_skills', index), check);
  checkOfGraph(node, check);
  for (const [index, name] of tools.entries()) {
    const place = inNode(id, 'tools', index);
    const [, server] = /^mcp:(.*)$/.exec(name) ?? [];
    if (server === undefined) checkTool(name, place, check);
    else checkServerOf(server, place, check);
  }
}

function checkModel(model: string | undefined, place: FilePlace, { world: { models }, found }: GraphCheck): void {
  if (model === undefined || !models || models.listed.includes(model)) return;
  const [provider = ''] = model.split(':', 1);
  if (!models.providers.includes(provider)) {
    const says = `There is no provider “${provider}” for the model “${model}”.`;
    const remedy = `The providers are ${named(models.providers)}.`;
    found.unknown('error', place, { written: provider, says, known: models.providers, remedy });
  }
}

function checkTool(name: string, place: FilePlace, check: GraphCheck): void {
  const { world, found } = check;
  const { tools, toolWords } = world;
  if (!tools || toolWords?.has(name)) return;
  if (tools.includes(name)) return checkOffered(name, place, check);
  const [unmapped] = mapToolNames([name], COYOTE_TOOLS, 'Coyote').unmapped;
  if (!unmapped) return checkOffered(name, place, check);
  if (Object.hasOwn(COYOTE_TOOLS, name)) {
    found.add('warning', place, unmapped.message);
    return;
  }
  found.unknown('error', place, {
    written: name,
    says: `There is no tool “${name}”.`,
    known: [...tools, ...(unmapped.meant ? [unmapped.meant.instead] : [])],
    remedy: 'Neither Cairn nor a script or an extension provides it.',
  });
}

/** Tools that no graph needs to list. */
const EVERYWHERE = /^(?:user|skill|agent|todo)__/;

/**
 * Checks that the graph's list has a tool. The original refuses a node with any other, also without a list; version 1.1 needs
 * none.
 */
function checkOffered(name: string, place: FilePlace, { graph, found }: GraphCheck): void {
  const isOriginal = graph.version === '1.0';
  if (EVERYWHERE.test(name) || (!isOriginal && graph.globalTools.length === 0) || isOffered(name, graph)) return;
  const message = `“global_tools” of the graph does not name “${name}”. Add it there, or remove it here.`;
  const all = [...graph.globalTools, name].map(yamlName).join(', ');
  found.add(isOriginal ? 'error' : 'warning', place, message, setting(['global_tools'], `[${all}]`));
}

/** Whether the graph's list names a tool, by its script or under another of its names. */
function isOffered(name: string, graph: Pick<Graph, 'globalTools'>): boolean {
  const names = graph.globalTools.map((file) => file.replace(/\.(?:sh|py|ts|js)$/, ''));
  const offered = mapToolNames(names, COYOTE_TOOLS, 'Coyote').tools;
  const { tools } = mapToolNames([name], COYOTE_TOOLS, 'Coyote');
  // A script's name may have dashes, but not that of its tool.
  return (
    names.some((one) => one.replaceAll('-', '_') === name) ||
    tools.every((tool) => offered.some((one) => matchesWildcard(one, tool)))
  );
}

const COMMAND = 'execute_command';

/** Checks that the commands of nodes may run, at the first of them. */
function checkCommands({ graph, found }: GraphCheck): void {
  const first = [...graph.nodes.values()].find(({ type }) => type === 'command');
  if (!first) return;
  if (isOffered(COMMAND, graph)) return;
  const message = `“${first.id}” may not run commands. Add ${COMMAND} to global_tools of the graph.`;
  const cures = graph.globalTools.length === 0 ? [setting(['global_tools'], `[${COMMAND}]`)] : [];
  found.add('error', inNode(first.id, 'type'), message, ...cures);
}

/** Stands for every server. */
const ALL = 'all';

function checkServerOf(server: string, place: FilePlace, check: GraphCheck): void {
  const { graph, found } = check;
  if (graph.mcpServers.includes(server)) return;
  if (graph.mcpServers.includes(ALL)) {
    checkServer(server, place, check);
    return;
  }
  found.unknown('error', place, {
    written: server,
    says: `“mcp_servers” of the graph does not name “${server}”.`,
    known: graph.mcpServers,
    remedy: `Write mcp_servers: [${server}] at the top.`,
  });
}

function checkServers(check: GraphCheck): void {
  for (const [index, server] of check.graph.mcpServers.entries()) {
    checkServer(server, { where: ['mcp_servers', index] }, check);
  }
}

/** Notes each server that a run could not start before the user allows it, at the first place that names it. */
function noteWaiting({ graph, world: { waitingServers, serversOf }, found }: GraphCheck): void {
  if (!waitingServers || waitingServers.size === 0) return;
  const told = new Set<WaitingServer>();
  const note = (name: string, place: FilePlace, whose = '') => {
    for (const server of waitingServers.get(name) ?? []) {
      if (told.has(server)) continue;
      told.add(server);
      found.add('note', place, whose === '' ? waitingText(server, 'The') : `${whose}${waitingText(server, 'the')}`);
    }
  };
  for (const [index, name] of graph.mcpServers.entries()) note(name, { where: ['mcp_servers', index] });
  for (const node of graph.nodes.values()) {
    if (node.type !== 'agent') continue;
    for (const name of serversOf?.get(node.agent) ?? [])
      note(name, inNode(node.id, 'agent'), `“${node.agent}” uses it: `);
  }
}

function waitingText({ id, path, line, consent }: WaitingServer, the: string): string {
  const why = {
    unasked: 'has not been allowed yet',
    changed: 'has changed since it was allowed',
    denied: 'is not allowed to start',
  }[consent];
  return `${the} MCP server “${id}” (${path}:${line}) ${why}, so a run has none of its tools. To allow it, run cairn mcp allow ${id}.`;
}

function checkServer(server: string, place: FilePlace, { world: { servers }, found }: GraphCheck): void {
  if (!servers || server === ALL || servers.includes(server)) return;
  found.unknown('warning', place, {
    written: server,
    says: `No file describes the MCP server “${server}”.`,
    known: servers,
    remedy: 'Describe it in mcp.json, or remove it here.',
  });
}

function checkSkills(
  { names = [] }: SkillFields,
  placeOf: (index: number) => FilePlace,
  { world: { skills, visibleSkills }, found }: GraphCheck,
): void {
  for (const [index, name] of names.entries()) {
    const place = placeOf(index);
    if (name.trim() === '') found.add('error', place, 'This skill name is empty. Remove it.');
    else if (!SKILL_NAME.test(name)) {
      const rule = 'Skill names have up to 64 letters, digits, dashes, and underscores.';
      found.add('error', place, `“${name}” cannot be a skill. ${rule}`);
    } else if (skills && !skills.includes(name)) {
      const says = `There is no skill “${name}”.`;
      found.unknown('error', place, { written: name, says, known: skills, remedy: 'Create it, or remove it here.' });
    } else if (visibleSkills && !visibleSkills.includes(name)) {
      const message = `“visible_skills” in your settings does not name the skill “${name}”, so no agent may load it. Add it there, or remove it here.`;
      found.add('error', place, message);
    }
  }
}

/** The graph's list limits the skills of its nodes. */
function checkOfGraph({ id, skills }: LlmNode, { graph, world, found }: GraphCheck): void {
  const ofGraph = graph.skills.names;
  if (!ofGraph) return;
  for (const [index, name] of (skills.names ?? []).entries()) {
    const isTold = !SKILL_NAME.test(name) || world.skills?.includes(name) === false;
    if (isTold || ofGraph.includes(name)) continue;
    found.unknown('error', inNode(id, 'enabled_skills', index), {
      written: name,
      says: `“enabled_skills” of the graph does not name “${name}”.`,
      known: ofGraph,
      remedy: `It names ${named(ofGraph) || 'none'}. Add it there, or remove it here.`,
    });
  }
}
