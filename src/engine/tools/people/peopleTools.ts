import type { AnyTool } from '../tool';
import { askUserTool } from './askUser';
import { checkboxForUserTool } from './checkboxForUser';
import { confirmWithUserTool } from './confirmWithUser';
import { inputFromUserTool } from './inputFromUser';

/** The tools that ask the person. */
export function peopleTools(): AnyTool[] {
  return [askUserTool(), confirmWithUserTool(), inputFromUserTool(), checkboxForUserTool()];
}
