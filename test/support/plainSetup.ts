import type { ChatSetup } from '../../src/protocol/chatState';

/** The setup of a user's session in which nothing was chosen. */
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
