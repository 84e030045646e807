import type { ShellWord } from '../shellPart';
import { type ChangedWords, NOTHING } from './changed';

/** Variables that name a file or a folder in which programs write. */
const WRITES =
  /^(GIT_(DIR|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|TRACE\w*)|SSLKEYLOGFILE|NODE_V8_COVERAGE|LLVM_PROFILE_FILE|PYTHONPYCACHEPREFIX|GCOV_PREFIX|HISTFILE|LD_DEBUG_OUTPUT|MALLOC_TRACE)$/;
/** Variables with which git writes elsewhere, or puts what it later runs into a new repository. */
const MOVES = /^GIT_(WORK_TREE|TEMPLATE_DIR)$/;
const MOVING_SETTING = /^'?(core\.worktree|init\.templatedir)/i;

/** What a command, or a later one, touches by the variables that are set in these words. */
export function changedByVariables(words: readonly ShellWord[]): ChangedWords {
  const changed: ShellWord[] = [];
  for (const word of words) {
    const [, name = '', value = ''] = /^(\w+)\+?=(.*)$/s.exec(word.text) ?? [];
    if (value === '') continue;
    if (MOVES.test(name) || (/^GIT_CONFIG_/.test(name) && MOVING_SETTING.test(value)))
      return { ...NOTHING, unknown: word.text };
    if (WRITES.test(name)) changed.push({ text: value, kind: word.kind });
  }
  return changed.length > 0 ? { ...NOTHING, changed } : NOTHING;
}
