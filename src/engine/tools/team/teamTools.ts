import type { AnyTool } from '../tool';
import { delegateTaskTool } from './delegateTask';
import { messageTools } from './messageTools';
import { spawnTools } from './spawnTools';
import { taskTools } from './taskTools';

/** The tools for work with other agents. Which of them an agent is offered depends on whom it may start. */
export function teamTools(): AnyTool[] {
  return [...spawnTools(), ...taskTools(), ...messageTools(), delegateTaskTool()];
}
