import type { ChatEntry, ChatState } from '../../../src/protocol/chatState';
import { chat, text, tool, user } from '../support/chats';

const quiet = (id: string, words: string): ChatEntry => ({
  ...{ kind: 'notice', id, level: 'quiet', text: words, action: null },
});

/** What was chosen for a session, and what a run does by itself. */
export function setupScenes(): Record<string, ChatState> {
  return {
    setupEmpty: chat({
      title: '',
      setup: {
        ...{ agent: 'sql', isChosen: true, mode: 'agent' as const, role: null, skills: [], pinned: [] },
        starters: ['What is in this database?', 'How many rows does each table have?'],
        parent: null,
      },
      usage: { inputTokens: 0, outputTokens: 0, contextTokens: 0, contextWindow: null, costUsd: null },
    }),
    modePlan: chat({
      title: '',
      setup: {
        agent: 'coder',
        isChosen: false,
        mode: 'plan',
        role: null,
        skills: [],
        pinned: [],
        starters: ['Plan a refactoring'],
        parent: null,
      },
      usage: { inputTokens: 0, outputTokens: 0, contextTokens: 0, contextWindow: null, costUsd: null },
    }),
    modeFullAuto: chat({
      approvalMode: 'nothing',
      setup: {
        agent: 'code-reviewer',
        isChosen: true,
        mode: 'agent',
        role: null,
        skills: [],
        pinned: [],
        starters: [],
        parent: null,
      },
      entries: [user('u', 'Update the dependencies.'), text('t', 'All of them are up to date now.')],
    }),
    pinned: chat({
      setup: {
        ...{
          agent: 'coder',
          isChosen: false,
          mode: 'agent' as const,
          role: null,
          skills: [],
          starters: [],
          parent: null,
        },
        pinned: [
          { kind: 'file', label: 'date.ts', target: 'src/date.ts' },
          { kind: 'selection', label: 'phrases.ts:3-10', target: 'src/phrases.ts', lines: { first: 3, last: 10 } },
        ],
      },
      entries: [user('u', 'Update the dependencies.'), text('t', 'All of them are up to date now.')],
    }),
    setupFull: chat({
      setup: {
        ...{
          agent: 'code-reviewer',
          isChosen: true,
          mode: 'agent' as const,
          role: 'pirate',
          pinned: [],
          starters: [],
          parent: null,
        },
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
