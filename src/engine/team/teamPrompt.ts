import { nameLine, type PromptBlock } from '../prompt/promptBlocks';
import type { AgentDefinition } from '../agents/agentDefinition';
import type { AnyTool } from '../tools/tool';

/** What an agent is among others. */
export interface TeamPlace {
  /** The agents that it may start. */
  targets: readonly AgentDefinition[];
  /** It was started by another agent. */
  isChild: boolean;
  /** It stands as deep as agents may go. */
  atBottom: boolean;
}

/** As many agents are told of with what they are for; of more only the names. */
const MAX_DESCRIBED = 30;
const MAX_NAMED = 100;

/** Whether an agent is offered a tool for work with others: starting only where there is somebody to start. */
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

/** How to work with other agents, made of the tools that are really offered. */
export function teamBlock(agent: AgentDefinition, place: TeamPlace): PromptBlock {
  return (tools) => {
    if (!agent.spawning.injects && !place.isChild) return null;
    const has = (name: string) => tools.get(name) !== undefined;
    const lines = [
      ...(has('agent__spawn') ? spawnLines(agent, has) : []),
      ...(has('task') ? ['Give work to another agent with `task`; it knows only what you write.'] : []),
      ...(has('agent__spawn') || has('task') ? targetLines(place.targets, has) : []),
      ...(place.isChild ? childLines(has) : []),
    ];
    return lines.length > 0 ? ['# Other agents', ...lines].join('\n') : null;
  };
}

function spawnLines({ spawning: { maxConcurrent } }: AgentDefinition, has: (name: string) => boolean): string[] {
  return [
    `Start other agents with \`agent__spawn\`, up to ${maxConcurrent} at a time; each knows only what you write in its prompt.`,
    ...(has('agent__collect')
      ? ['Get what they found with `agent__collect`, which waits; you are told when one is done.']
      : []),
    ...(has('agent__task_create') ? ['What waits for something else goes to `agent__task_create`.'] : []),
    ...(has('agent__reply_escalation')
      ? [
          'When one of them asks something that you know, answer with `agent__reply_escalation`; otherwise the person does.',
        ]
      : []),
    'Before you end, every agent that you started is collected or cancelled.',
  ];
}

/** A prompt goes along with every request, and a person may have hundreds of agents. */
function targetLines(targets: readonly AgentDefinition[], has: (name: string) => boolean): string[] {
  const rest = targets.slice(MAX_DESCRIBED).map(({ name }) => name);
  const unnamed = rest.length - MAX_NAMED;
  const [named, more] = [rest.slice(0, MAX_NAMED).join(', '), unnamed > 0 ? ` and ${unnamed} more` : ''];
  const whatFor = has('agent__list_available') ? ' (`agent__list_available` tells what each is for)' : '';
  return [
    'These can be started:',
    ...targets.slice(0, MAX_DESCRIBED).map(nameLine),
    ...(rest.length > 0 ? [`- and ${named}${more}${whatFor}`] : []),
  ];
}

function childLines(has: (name: string) => boolean): string[] {
  return [
    'Another agent gave you this task and sees only your last answer, so put all that it needs into it.',
    ...(has('agent__check_inbox')
      ? ['Before you finish, look with `agent__check_inbox` at what others sent you.']
      : []),
    ...(has('agent__send_message')
      ? ['With `agent__send_message` you reach the agents beside you by their ids, and the one above you as `parent`.']
      : []),
  ];
}
