import { duplicateToWorkspace } from './duplicateToWorkspace';
import { newContent } from './newContent';
import { showCustomizations } from './showCustomizations';
import { showEffectivePrompt } from './showEffectivePrompt';
import { startChat } from './startChat';

/** The commands about agents, skills and roles. */
export const customizeCommands = [
  showCustomizations,
  newContent('newAgent', 'agents'),
  newContent('newSkill', 'skills'),
  newContent('newRole', 'roles'),
  duplicateToWorkspace,
  showEffectivePrompt,
  startChat,
];
