import { EngineError } from '../engineError';
import type { RunTeam } from '../run/runTeam';
import type { TeamDesk } from '../tools/team/teamDesk';
import { ToolFailure } from '../tools/toolFailure';
import type { UserPrompter } from '../events/question';

/** What stands for other agents where there is no run: nobody can be started, and questions go to the person. */
export function teamOfNobody(prompter: UserPrompter): RunTeam {
  return {
    desk: deskOfNobody(),
    ask: (question, signal) => prompter.ask(question, signal),
    called: () => undefined,
    takeNews: () => [],
    beforeEnd: () => Promise.resolve(null),
    endRunning: () => Promise.resolve(),
    spending: {
      takeTurn: () => undefined,
      request: () => Promise.reject(new EngineError('invalid-state', 'No model is asked outside of a run.')),
    },
  };
}

function deskOfNobody(): TeamDesk {
  const refuse = () => {
    throw new ToolFailure('failed', 'Outside of a run there are no other agents. Start a run instead.');
  };
  const reject = () => Promise.reject(new ToolFailure('failed', 'Outside of a run no agent can be started.'));
  const tasks = { createTask: reject, completeTask: reject, failTask: reject, tasks: () => [] };
  const waits = { spawn: reject, check: reject, collect: reject, wait: reject, cancel: reject };
  return Object.assign(waits, tasks, {
    list: () => ({ active_count: 0, max_concurrent: 0, agents: [] }),
    available: () => Promise.resolve([]),
    send: refuse,
    inbox: () => [],
    reply: refuse,
  });
}
