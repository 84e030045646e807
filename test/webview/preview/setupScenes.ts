import type { ChatEntry, ChatState } from '../../../src/protocol/chatState';
import { plainSetup } from '../../support/plainSetup';
import { chat, text, tool, user } from '../support/chats';

const quiet = (id: string, words: string): ChatEntry => ({
  ...{ kind: 'notice', id, level: 'quiet', text: words, action: null },
});

/** What was chosen for a session, and what a run does on its own. */
export function setupScenes(): Record<string, ChatState> {
  return {
    setupEmpty: chat({
      title: '',
      setup: {
        ...plainSetup,
        agent: 'sql',
        isChosen: true,
        starters: ['What is in this database?', 'How many rows does each table have?'],
      },
      usage: { inputTokens: 0, outputTokens: 0, contextTokens: 0, contextWindow: null, costUsd: null },
    }),
    modePlan: chat({
      title: '',
      setup: { ...plainSetup, mode: 'plan', starters: ['Plan a refactoring'] },
      usage: { inputTokens: 0, outputTokens: 0, contextTokens: 0, contextWindow: null, costUsd: null },
    }),
    modeFullAuto: chat({
      approvalMode: 'nothing',
      setup: { ...plainSetup, agent: 'code-reviewer', isChosen: true },
      entries: [user('u', 'Update the dependencies.'), text('t', 'All of them are up to date now.')],
    }),
    pinned: chat({
      setup: {
        ...plainSetup,
        pinned: [
          { kind: 'file', label: 'date.ts', target: 'src/date.ts' },
          { kind: 'selection', label: 'phrases.ts:3-10', target: 'src/phrases.ts', lines: { first: 3, last: 10 } },
        ],
      },
      entries: [user('u', 'Update the dependencies.'), text('t', 'All of them are up to date now.')],
    }),
    setupFull: chat({
      setup: {
        ...plainSetup,
        agent: 'code-reviewer',
        isChosen: true,
        role: 'pirate',
        skills: ['git-master', 'delegation-protocol', 'verification-gates'],
      },
      entries: [
        user('u', 'Review what is staged.'),
        quiet('n1', 'Skill git-master loaded'),
        tool('r', { title: 'Read src/date.ts' }),
        text('t', 'Two of the three files are reviewed; `src/date.ts` is left.'),
        quiet('n2', 'Continuing automatically: 2 of 10, 3 to-dos open'),
        text('t2', 'I go on with `src/date.ts`.'),
      ],
    }),
  };
}
