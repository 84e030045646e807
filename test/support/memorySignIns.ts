import { KeyedMutex } from '../../src/base/async';
import type { SignInStore } from '../../src/engine';

/** An in-memory store of sign-ins that also records what was hidden. */
export function memorySignIns(): SignInStore & { kept: Map<string, string>; hidden: Set<string> } {
  const kept = new Map<string, string>();
  const hidden = new Set<string>();
  const turns = new KeyedMutex();
  return {
    kept,
    hidden,
    hide: (value) => void hidden.add(value),
    get: (name) => Promise.resolve(kept.get(name)),
    set(name, value) {
      if (value === undefined) kept.delete(name);
      else kept.set(name, value);
      return Promise.resolve();
    },
    exclusively: (name, work) => turns.take([name], work, new AbortController().signal),
  };
}
