import { type MappedTools, mapToolNames } from '../../content/mapToolNames';
import { COYOTE_TOOLS } from '../../content/toolNames';
import { functionName } from '../../scripts/scriptNames';
import type { AgentDefinition } from '../agentDefinition';

const ALWAYS = ['user__*', 'skill__*', 'agent__send_message', 'agent__check_inbox'];

/** The tools of an agent that is a folder: those of `global_tools`, which are names of files, and what its settings bring. */
export function coyoteTools(
  files: readonly string[],
  { autoContinue, spawning }: Pick<AgentDefinition, 'autoContinue' | 'spawning'>,
): MappedTools {
  const wanted = files.map((file) => file.replace(/\.(sh|py|ts|js)$/, ''));
  const { tools, unmapped } = mapToolNames(wanted, COYOTE_TOOLS, 'Coyote');
  // What was a script there may be one here.
  const scripts = unmapped.map(({ name }) => functionName(name)).filter((name) => !tools.includes(name));
  const own = [...ALWAYS, ...(autoContinue.on ? ['todo__*'] : []), ...(spawning.on ? ['agent__*'] : [])];
  return { tools: [...tools, ...scripts, ...own], unmapped: unmapped.map(unlessScript) };
}

type Unmapped = MappedTools['unmapped'][number];

function unlessScript({ message, ...rest }: Unmapped): Unmapped {
  const unless = 'works without it unless a script in a folder of tools has this name.';
  return { ...rest, message: message.replace('works without it.', unless) };
}
