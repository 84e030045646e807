import type { Engine } from '../../engine';
import type { ApiRunRequest, CairnApi } from '../../library/cairnApi';
import type { LiveChats } from '../chat/liveChats';

/** Raised with each change of CairnApi, as semantic versioning has it. */
const API_VERSION = '1.0.0';

export interface ApiParts {
  engine: Engine;
  chats: LiveChats;
  /** Shows a session in the panel. */
  show: (sessionId: string) => Promise<void>;
}

/** What other extensions are given. */
export function openApi({ engine, chats, show }: ApiParts): CairnApi {
  return {
    version: API_VERSION,
    registerTool: (tool) => engine.registerTool(tool),
    registerProvider: (provider) => engine.registerProvider(provider),
    registerSkill: (skill) => engine.registerSkill(skill),
    registerAgent: (agent) => engine.registerAgent(agent),
    onEvent: (listener) => engine.onEvent(listener),
    run: async ({ show: isShown = false, ...request }: ApiRunRequest) => {
      const { sessionId, ...run } = request;
      const chat = sessionId === undefined ? await chats.openFor(run) : await chats.open(sessionId);
      if (isShown) await show(chat.session.id);
      // The chat follows it, so that its session shows what happens and whom it asks.
      return chat.follow(engine.run({ ...run, sessionId: chat.session.id }));
    },
  };
}
