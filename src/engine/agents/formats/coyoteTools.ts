import { COYOTE_TOOLS, type MappedTools, mapToolNames } from '../../content/toolNames';
import type { AgentDefinition } from '../agentDefinition';

const ALWAYS = ['user__*', 'skill__*', 'agent__send_message', 'agent__check_inbox'];

/** Returns the tools of an agent that is a folder: those of `global_tools`, which lists file names, and those its settings add. */
export function coyoteTools(
  files: readonly string[],
  { autoContinue, spawning }: Pick<AgentDefinition, 'autoContinue' | 'spawning'>,
): MappedTools {
  const wanted = files.map((file) => file.replace(/\.(sh|py|ts|js)$/, ''));
  const { tools, unmapped } = mapToolNames(wanted, COYOTE_TOOLS, 'Coyote');
  const own = [...ALWAYS, ...(autoContinue.on ? ['todo__*'] : []), ...(spawning.on ? ['agent__*'] : [])];
  return { tools: [...tools, ...own], unmapped };
}
