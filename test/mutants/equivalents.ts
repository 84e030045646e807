/** A change that no test can notice. */
export interface Equivalent {
  readonly file: string;
  /** The whole line, without what it is indented by. */
  readonly line: string;
  readonly change: string;
  readonly why: string;
}

const NEVER_UNDEFINED =
  'The index always lies inside, which the compiler does not know: what stands behind ?? is never used.';

/** Known ones; each was looked at. They count as explained, not as noticed. */
export const equivalents: readonly Equivalent[] = [
  {
    file: 'src/engine/permissions/shell/judgeCommand.ts',
    line: 'const MAX_FOLDERS = 8;',
    change: '8 → (8 + 1)',
    why: 'The number of folders doubles with each cd, so that “more than 4” and “more than 4.5” are the same.',
  },
  {
    file: 'src/engine/permissions/shell/dangerousForms.ts',
    line: "programs: ['chmod', 'chown', 'chgrp', 'icacls', 'setfacl'],",
    change: "'chgrp' → ''",
    why: 'Every call of chgrp asks by a later row, for the same reason.',
  },
  {
    file: 'src/engine/permissions/permissionFile.ts',
    line: 'const where = issue?.path ?? [];',
    change: 'issue?.path ?? [] → issue?.path',
    why: 'What zod refuses always has an issue.',
  },
  {
    file: 'src/engine/tools/files/patch/applyPatch.ts',
    line: "if (mark === ' ') now.push(kept[at] ?? '');",
    change: "kept[at] ?? '' → kept[at]",
    why: NEVER_UNDEFINED,
  },
  {
    file: 'src/protocol/reduceChat.ts',
    line: 'return assertNever(event);',
    change: 'assertNever(event) → undefined',
    why: 'The compiler shows that no event comes here.',
  },
  {
    file: 'src/engine/agents/agentLoader.ts',
    line: "return { folder, scope: 'workspace', world: WORLDS.get(inside?.[2] ?? '') ?? 'cairn' };",
    change: "inside?.[2] ?? '' → inside?.[2]",
    why: 'Neither undefined nor the empty text is in the map.',
  },
  {
    file: 'src/engine/messages/repairTranscript.ts',
    line: 'for (let index = from; index < messages.length; index++) {',
    change: 'index < messages.length → (index) <= (messages.length)',
    why: 'There is no message behind the last one, and what is none is passed over.',
  },
  {
    file: 'src/engine/sessions/fileSessionStore.ts',
    line: 'void settled.then(() => this.queues.get(id) === settled && this.queues.delete(id));',
    change: 'this.queues.get(id) === settled && this.queues.delete(id) → undefined',
    why: 'It only lets go of what is not needed any longer.',
  },
  {
    file: 'webview/markdown/blockSplitter.ts',
    line: 'const CUT = 2_000;',
    change: '2_000 → (2_000 + 1)',
    why: 'A choice: nobody could tell whether a long list is cut a character later.',
  },
  {
    file: 'src/engine/permissions/shell/judgeCommand.ts',
    line: `return text !== '' && text.length < 300 && !/^-[^=]*$|[\\s:|*?<>"]/.test(text);`,
    change: '300 → (300 + 1)',
    why: 'A choice: what is so long and looks like no path is taken for text, one character earlier or later.',
  },
  {
    file: 'src/host/review/reviewedFile.ts',
    line: 'const MAX_CHARACTERS = 20_000_000;',
    change: '20_000_000 → (20_000_000 + 1)',
    why: 'A choice: how much is held in memory for undo, to a character.',
  },
  {
    file: 'src/host/review/lineDifferences.ts',
    line: 'if (from === to) return [];',
    change: '[] → undefined',
    why: 'It is only quicker: a comparison of a text with itself finds no difference either.',
  },
  {
    file: 'webview/transcript/entryWindow.ts',
    line: 'const MARGIN_PX = 800;',
    change: '800 → (800 + 1)',
    why: 'A choice: how far outside of the view entries are drawn, to a pixel.',
  },
  {
    file: 'src/engine/llm/middleware/retryBrokenStream.ts',
    line: 'return (isSaid || status === undefined) && (retryAfterMs ?? 0) <= LONGEST_WAIT_MS;',
    change: '0 → (0 + 1)',
    why: 'Both are below the longest wait, which is all that is asked.',
  },
  {
    file: 'src/engine/run/autoContinue.ts',
    line: "if (!on || max === 0 || open === 0) return { kind: 'done' };",
    change: "'done' → ''",
    why: 'Whoever asks tells “continue” and “stop” from everything else.',
  },
  {
    file: 'src/engine/run/runAgent.ts',
    line: 'return false;',
    change: 'false → undefined',
    why: 'It is only asked whether it goes on, and both say that it does not.',
  },
  {
    file: 'src/engine/prompt/sessionSkills.ts',
    line: 'private areNamed = false;',
    change: 'false → true',
    why: 'It is set with every look at the levels, and asked for only after one.',
  },
  {
    file: 'src/engine/team/teamMember.ts',
    line: 'private reminders = 0;',
    change: '0 → (0 + 1)',
    why: 'It is reminded only of agents that it started, and the call that started them sets it to 0.',
  },
  {
    file: 'src/engine/run/fitting/fitConversation.ts',
    line: 'const said = planned.pinned.texts.reduce((sum, text) => sum + estimateText(text), 0);',
    change: '0 → (0 + 1)',
    why: 'A token of an estimate.',
  },
  {
    file: 'src/engine/run/fitting/compactSession.ts',
    line: 'if (summary === undefined) return false;',
    change: 'false → undefined',
    why: 'It is only asked whether there is a summary, and both say that there is none.',
  },
  {
    file: 'src/engine/run/fitting/fitConversation.ts',
    line: 'if (!planned) return false;',
    change: 'false → undefined',
    why: 'It is only asked whether there is a summary, and both say that there is none.',
  },
  {
    file: 'src/engine/permissions/authorize.ts',
    line: 'waiting.delete(one);',
    change: 'waiting.delete(one); → nothing',
    why: 'It only saves work: what has its answer is looked at by the rules again, and keeps the answer.',
  },
  {
    file: 'src/engine/permissions/authorize.ts',
    line: 'return true;',
    change: 'true → undefined',
    why: 'It only saves work: what has its answer is looked at by the rules again, and keeps the answer.',
  },
  {
    file: 'src/engine/permissions/authorize.ts',
    line: 'return true;',
    change: 'true → false',
    why: 'It only saves work: what has its answer is looked at by the rules again, and keeps the answer.',
  },
  {
    file: 'src/engine/permissions/offerRules.ts',
    line: 'return text.length <= MAX_SHOWN && !/[^\\S ]|[\\p{Cc}\\p{Cf}]/u.test(text);',
    change: 'text.length <= MAX_SHOWN → (text.length) < (MAX_SHOWN)',
    why: 'A choice: how long a line may be that is offered on a button, to a character.',
  },
  {
    file: 'src/engine/context/prunedView.ts',
    line: 'if (before) return before;',
    change: 'before → undefined',
    why: 'It only saves work: the same is made again of the same message.',
  },
  {
    file: 'src/engine/context/prunedView.ts',
    line: 'remembered.set(message, pruned);',
    change: 'remembered.set(message, pruned); → nothing',
    why: 'It only saves work: the same is made again of the same message.',
  },
  {
    file: 'src/host/review/reviewedFile.ts',
    line: 'const isMuch = index >= MAX_REMEMBERED || characters > MAX_CHARACTERS || size > MAX_LINES;',
    change: 'characters > MAX_CHARACTERS → (characters) >= (MAX_CHARACTERS)',
    why: 'A choice: how much is held in memory for undo, to a character.',
  },
  {
    file: 'src/host/review/reviewedFile.ts',
    line: 'const isMuch = index >= MAX_REMEMBERED || characters > MAX_CHARACTERS || size > MAX_LINES;',
    change: 'size > MAX_LINES → (size) >= (MAX_LINES)',
    why: 'A choice: how much is held in memory for undo, to a line.',
  },
  {
    file: 'webview/markdown/blockSplitter.ts',
    line: 'this.size += line.length + 1;',
    change: '1 → (1 + 1)',
    why: 'A choice: nobody could tell whether a long list is cut some characters earlier.',
  },
  {
    file: 'webview/markdown/blockSplitter.ts',
    line: "private fence = { indent: 0, mark: '', info: '' };",
    change: '0 → (0 + 1)',
    why: 'It is set when a fence begins, and looked at only inside one.',
  },
  {
    file: 'webview/markdown/blockSplitter.ts',
    line: "private list = { content: 0, like: '', fence: '', blank: false };",
    change: '0 → (0 + 1)',
    why: 'It is set when a list begins, and looked at only inside one.',
  },
  {
    file: 'webview/markdown/blockSplitter.ts',
    line: "private list = { content: 0, like: '', fence: '', blank: false };",
    change: 'false → true',
    why: 'It is set when a list begins, and looked at only inside one.',
  },
];
