import type { ModelRequest } from './modelServer/modelRequest';

/** Whether a request asks for the notes that replace the conversation. */
export function isSummingUp({ lastText }: ModelRequest): boolean {
  return lastText.includes('The conversation is too long and will be replaced by your notes.');
}
