import type { Clock } from '../../ports';
import type { AnyTool } from '../tool';
import type { BackgroundCommands } from './backgroundCommands';
import { listCommandsTool } from './listCommands';
import { readCommandOutputTool } from './readCommandOutput';
import { stopCommandTool } from './stopCommand';

/** The tools for commands in the background. */
export function commandTools(commands: BackgroundCommands, clock: Clock): AnyTool[] {
  return [readCommandOutputTool(commands, clock), stopCommandTool(commands), listCommandsTool(commands)];
}
