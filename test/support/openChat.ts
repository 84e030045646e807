import { type ChatBeginning, LiveChat } from '../../src/chat/liveChat';
import { KeptMessages, type Memory, MessageQueue } from '../../src/chat/messageQueue';
import { replayHistory } from '../../src/chat/replayHistory';
import { emptyChat } from './emptyChat';
import type { EngineWorld } from './engineWorld';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** An editor's memory for an extension across reloads: plain data, copied on every access. */
export function memory(): Memory {
  const kept = new Map<string, string>();
  return {
    get(key) {
      const value: unknown = JSON.parse(kept.get(key) ?? 'null');
      return value ?? undefined;
    },
    update(key, value) {
      if (value === undefined) kept.delete(key);
      else kept.set(key, JSON.stringify(value));
      return Promise.resolve();
    },
  };
}

interface Opening {
  of?: string;
  inMemory?: Memory;
  read?: ChatBeginning['read'];
}

/** A session as shown by a newly opened window. */
export async function openChat(
  { engine, sessionId }: Pick<EngineWorld, 'engine' | 'sessionId'>,
  { of = sessionId, inMemory = memory(), read = () => Promise.resolve([]) }: Opening = {},
): Promise<LiveChat> {
  const session = await engine.sessions.open(of);
  const kept = new KeptMessages(inMemory, silent);
  const queue = new MessageQueue(kept.of(session), (messages) => kept.keep(session, messages));
  const model = { id: 'openai:test-model', label: 'Test', scripted: true };
  return new LiveChat(
    session,
    engine,
    {
      model,
      welcome: emptyChat(of).welcome,
      heldElsewhere: await session.heldElsewhere(),
      queue,
      read,
      replay: replayHistory,
      onCaughtUp: () => undefined,
      approvalMode: () => session.metadata.approvalMode,
    },
    silent,
  );
}
