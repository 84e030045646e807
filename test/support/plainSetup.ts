import type { ChatSetup } from '../../src/protocol/chatState';

/** Of a session of the person in which nothing was chosen. */
export const plainSetup: ChatSetup = {
  agent: 'coder',
  isChosen: false,
  mode: 'agent',
  role: null,
  skills: [],
  pinned: [],
  starters: [],
  parent: null,
};
