import type { Panel } from '../editor/panel';
import type { Step } from '../support/modelServer/story';
import {
  ANSWERS,
  checkCommand,
  edit,
  FIX,
  HALF_ANSWER,
  INTRODUCE_EDIT,
  lookAround,
  PLAN,
  QUESTION,
  REST_OF_ANSWER,
  slowCheckCommand,
  SUMMARY,
  WHY,
} from './conversation';
import { agentScenes } from './agentScenes';
import type { Scene } from './scene';
import { turnEnds } from './turnEnds';
import { walkthroughScenes } from './walkthroughScenes';

const ANSWER = HALF_ANSWER + REST_OF_ANSWER;
const proposal: Step = { say: INTRODUCE_EDIT, call: [edit], usage: { input: 19_100, output: 240 } };

/** All scenes, in the order in which they are played. */
export const scenes: readonly Scene[] = [
  {
    name: 'empty',
    story: [],
    play: () => Promise.resolve(),
  },
  {
    name: 'streaming',
    story: [{ call: lookAround }, { say: ANSWER, chunk: HALF_ANSWER.length, hold: 'streaming' }],
    async play(panel) {
      await panel.send(WHY);
      await panel.waitForText('count from today', 'text');
    },
  },
  {
    name: 'approval',
    story: [{ call: lookAround }, proposal],
    play: askForEdit,
  },
  {
    name: 'command',
    story: [{ say: 'The edit is in. I run the checks and leave them watching.', call: [slowCheckCommand] }],
    async play(panel) {
      await panel.send('Check that everything still works.');
      await panel.approve();
      await panel.waitForText('Waiting for changes');
    },
  },
  {
    name: 'question',
    story: [
      { call: lookAround.slice(0, 2) },
      {
        say: 'One thing the tests do not say.',
        call: [{ name: 'user__ask', arguments: { question: QUESTION, options: ANSWERS } }],
      },
    ],
    async play(panel) {
      await panel.send('Make parseDate stricter.');
      await panel.waitForQuestion();
    },
  },
  {
    name: 'finished',
    story: [
      { call: [{ name: 'todo__init', arguments: { todos: PLAN } }, ...lookAround] },
      { ...proposal, call: [{ name: 'todo__done', arguments: { id: 1 } }, edit] },
      { call: [{ name: 'todo__done', arguments: { id: 2 } }, checkCommand] },
      { call: [{ name: 'todo__done', arguments: { id: 3 } }] },
      { say: SUMMARY, usage: { input: 21_700, output: 180 } },
    ],
    async play(panel) {
      await panel.send(FIX);
      await panel.approve();
      await panel.approve();
      await turnEnds(panel);
    },
  },
  {
    name: 'error',
    story: [{ fail: { status: 401 } }],
    async play(panel) {
      await panel.send(WHY);
      await panel.waitForText(/key/i, 'notice');
    },
  },
  {
    name: 'tour',
    story: [],
    model: 'demo:tour',
    async play(panel) {
      await panel.send('hello');
      await panel.approve();
      await panel.approve();
      await panel.waitForQuestion();
      const [answer = ''] = await panel.questionOptions();
      await panel.answer(answer);
      await turnEnds(panel);
    },
  },
  ...agentScenes,
  ...walkthroughScenes,
];

async function askForEdit(panel: Panel): Promise<void> {
  await panel.send(FIX);
  await panel.waitForApproval();
}
