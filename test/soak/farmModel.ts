import type { Step, Story } from '../support/modelServer/story';

/** The end of every file in the farm, so that half-written ones can be detected. */
export const FILE_END = '\nthe end\n';

export interface FarmModel {
  story: Story;
  /** The number of answers that broke off. */
  cuts: () => number;
  /** From then on, the model answers at once. */
  calmDown: () => void;
}

/** A model that writes files, runs commands, keeps to-dos, gives long answers, and whose connection breaks now and then. */
export function farmModel(random: () => number): FarmModel {
  let answers = 0;
  let cuts = 0;
  let isCalm = false;
  const step = (): Step => {
    answers++;
    if (isCalm) return { say: 'Done.' };
    const dice = random();
    if (dice < 0.1) {
      cuts++;
      return { say: 'This is broken off. '.repeat(20), fail: dice < 0.05 ? 'cut-before' : 'cut-after' };
    }
    if (dice < 0.55) return { say: 'I do it.', call: [callOf(random, answers)], pauseMs: 1 };
    return { say: `Answer ${answers}. `.repeat(20), chunk: 40, pauseMs: 1 };
  };
  return { story: [{ when: () => true, step }], cuts: () => cuts, calmDown: () => (isCalm = true) };
}

function callOf(random: () => number, answers: number) {
  const dice = random();
  const file = `file-${Math.floor(random() * 6)}.txt`;
  // What was lost in a kill must be read before it can be written again.
  if (dice < 0.1) return { name: 'fs_read', arguments: { path: file } };
  if (dice < 0.5) {
    const contents = `${`line of answer ${answers}\n`.repeat(200 + Math.floor(random() * 1000))}${FILE_END.slice(1)}`;
    return { name: 'fs_write', arguments: { path: file, contents } };
  }
  if (dice < 0.75) return { name: 'todo__init', arguments: { todos: ['one', 'two'] } };
  // Some commands outlive every run and are killed with it.
  const seconds = dice < 0.8 ? 600 : random() / 3;
  return { name: 'execute_command', arguments: { command: `echo ${answers}; sleep ${seconds}` } };
}
