import { nameLine, type PromptBlock } from '../prompt/promptBlocks';
import type { AgentDefinition } from '../agents/agentDefinition';
import type { AnyTool } from '../tools/tool';

/** The position of an agent in its team. */
export interface TeamPlace {
  /** The agents that it may start. */
  targets: readonly AgentDefinition[];
  /** Whether it was started by another agent. */
  isChild: boolean;
  /** Whether it is at the maximum depth. */
  atBottom: boolean;
}

/** Maximum number of agents listed with a description; of the others only names are listed. */
const MAX_DESCRIBED = 30;
const MAX_NAMED = 100;

/** Returns whether an agent is offered a team tool: those that start agents only if there are agents to start. */
export function teamOffer(agent: AgentDefinition, { targets, isChild, atBottom }: TeamPlace) {
  const mayStart = targets.length > 0 && !atBottom;
  const spawns = mayStart && agent.spawning.on;
  const delegates = mayStart && (agent.toolNames === 'opencode' || agent.taskTargets !== null);
  return ({ traits }: Pick<AnyTool, 'traits'>): boolean => {
    if (traits?.kind !== 'team') return true;
    if (traits.roles?.includes('delegates')) return delegates;
    return traits.roles?.includes('sends-messages') ? isChild || spawns : spawns;
  };
}

/** Explains how to work with other agents, based on the tools actually offered. */
export function teamBlock(agent: AgentDefinition, place: TeamPlace): PromptBlock {
  return (tools) => {
    if (!agent.spawning.injects && !place.isChild) return null;
    const has = (name: string) => tools.offers(name);
    const lines = [
      ...(has('agent__spawn') ? spawnLines(agent, has) : []),
      ...(has('task') ? ['Give work to another agent with `task`; it knows only its prompt.'] : []),
      ...(has('agent__spawn') || has('task') ? targetLines(place.targets, has) : []),
      ...(place.isChild ? childLines(has) : []),
    ];
    return lines.length > 0 ? ['# Other agents', ...lines].join('\n') : null;
  };
}

function spawnLines({ spawning: { maxConcurrent } }: AgentDefinition, has: (name: string) => boolean): string[] {
  return [
    `Agents that you start with \`agent__spawn\` run beside you, up to ${maxConcurrent} at a time, and know only their prompt.`,
    ...(has('agent__collect') ? ['Their answers arrive by themselves; use `agent__collect` to wait for one.'] : []),
    ...(has('agent__task_create') ? ['Use `agent__task_create` for work that has to wait for other work.'] : []),
    ...(has('agent__reply_escalation')
      ? [
          'Answer their questions with `agent__reply_escalation` if you know the answer; otherwise leave them to the user.',
        ]
      : []),
    'Wait for every agent that you started, or cancel it, before you end.',
  ];
}

/** The prompt is part of every request, and users may have hundreds of agents. */
function targetLines(targets: readonly AgentDefinition[], has: (name: string) => boolean): string[] {
  const rest = targets.slice(MAX_DESCRIBED).map(({ name }) => name);
  const unnamed = rest.length - MAX_NAMED;
  const [named, more] = [rest.slice(0, MAX_NAMED).join(', '), unnamed > 0 ? ` and ${unnamed} more` : ''];
  const whatFor = has('agent__list_available') ? ' (`agent__list_available` tells what each is for)' : '';
  return [
    'You can start:',
    ...targets.slice(0, MAX_DESCRIBED).map(nameLine),
    ...(rest.length > 0 ? [`- and ${named}${more}${whatFor}`] : []),
  ];
}

function childLines(has: (name: string) => boolean): string[] {
  return [
    'You work for another agent, which sees only your final answer: put everything that it needs there.',
    ...(has('agent__check_inbox') ? ['Before you finish, read what others sent you with `agent__check_inbox`.'] : []),
    ...(has('agent__send_message')
      ? ['`agent__send_message` reaches the agents beside you by their ids, and the one above you as `parent`.']
      : []),
  ];
}
