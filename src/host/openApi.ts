import type { LiveChats } from '../chat/liveChats';
import { type Engine, EngineError, ResourceKey, Resources } from '../engine';
import type { ApiRunRequest, ApiSessions, CairnApi, CairnApi2 } from '../library/cairnApi';

/** Semantic version of CairnApi. Raise it with each change. */
const API_VERSION = '1.1.0';
/** Semantic version of CairnApi2. Raise it with each change. */
const API_2_VERSION = '2.2.0';

interface ApiParts {
  engine: Engine;
  chats: LiveChats;
  /** Shows a session in the panel. */
  show: (sessionId: string) => Promise<void>;
}

/** Builds the API for other extensions. */
export function openApi(parts: ApiParts): CairnApi {
  const { engine } = parts;
  const common = commonApi(parts);
  const second: CairnApi2 = {
    ...common,
    version: API_2_VERSION,
    use: (middleware) => engine.use(middleware),
    wrapTool: (...given) => engine.wrapTool(...given),
    replaceTool: (tool) => engine.replaceTool(tool),
    models: (signal) => engine.models(signal),
    ask: (...given) => engine.ask(...given),
    roles: () => engine.roles.list(),
    sessions: apiSessions(parts),
    rules: engine.rules,
    runs: () => engine.runs(),
    branch: async (sessionId, from) => (await engine.sessions.branch(sessionId, from)).id,
    resume: async (sessionId) => {
      const chat = await parts.chats.open(sessionId);
      return chat.follow(engine.run({ sessionId: chat.session.id }));
    },
    resourceKey: (name) => new ResourceKey(name),
    resources: Resources.none,
  };
  return { ...common, version: API_VERSION, getApi: (version) => ofVersion(version, second) };
}

function apiSessions({ engine, show }: ApiParts): ApiSessions {
  const { sessions } = engine;
  const open = async (id: string) => {
    const session = await sessions.borrow(id);
    // With a run active here, no other process writes to the session.
    if (!engine.runOf(id)) await session.catchUp();
    return session;
  };
  return {
    list: () => sessions.list(),
    metadata: async (id) => (await open(id)).metadata,
    messages: async (id) => (await open(id)).messages,
    show,
  };
}

/** The caller may pass anything, whatever the type says. */
function ofVersion(version: number, second: CairnApi2): CairnApi2 {
  if (version === 2) return second;
  const hint = 'activate() returns version 1; getApi(2) returns version 2.';
  throw new EngineError('invalid-input', `Cairn’s API has no version ${version}. ${hint}`);
}

function commonApi({ engine, chats, show }: ApiParts): Omit<CairnApi, 'version' | 'getApi'> {
  return {
    registerTool: (tool) => engine.registerTool(tool),
    registerProvider: (provider) => engine.registerProvider(provider),
    registerSkill: (skill) => engine.registerSkill(skill),
    registerAgent: (agent) => engine.registerAgent(agent),
    onEvent: (listener) => engine.onEvent(listener),
    run: async ({ show: isShown = false, ...request }: ApiRunRequest) => {
      const { sessionId, ...run } = request;
      const chat = sessionId === undefined ? await chats.openFor(run) : await chats.open(sessionId);
      if (isShown) await show(chat.session.id);
      // The chat follows the run, so that its session shows the events and requests.
      return chat.follow(engine.run({ ...run, sessionId: chat.session.id }));
    },
  };
}
