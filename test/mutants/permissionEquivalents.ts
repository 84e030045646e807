import type { Equivalent } from './equivalent';

/** Equivalents in permissions. Each was checked by hand. */
export const permissionEquivalents: readonly Equivalent[] = [
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
    file: 'src/engine/permissions/shell/touched/touchedFiles.ts',
    line: `return text !== '' && text.length < 300 && !/^-[^=]*$|[\\s:|*?<>"]/.test(text);`,
    change: '300 → (300 + 1)',
    why: 'A choice: what is so long and looks like no path is taken for text, one character earlier or later.',
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
    file: 'src/engine/permissions/approvalHandler.ts',
    line: 'return text.length <= MAX_SHOWN && !/[^\\S ]|[\\p{Cc}\\p{Cf}]/u.test(text);',
    change: 'text.length <= MAX_SHOWN → (text.length) < (MAX_SHOWN)',
    why: 'A choice: how long a line may be that is offered on a button, to a character.',
  },
  {
    file: 'src/engine/permissions/approvalHandler.ts',
    line: 'const MAX_SHOWN = 200;',
    change: '200 → (200 + 1)',
    why: 'A choice: how long a rule on a button may be, to a character.',
  },
  {
    file: 'src/engine/permissions/approvalHandler.ts',
    line: 'if (choices.some((one) => one.length === 0)) return [];',
    change: 'choices.some((one) => one.length === 0) → choices.every((one) => one.length === 0)',
    why: 'It only saves work: rules that leave a part of the call out would not let it run, and are left out for that.',
  },
  {
    file: 'src/engine/permissions/approvalHandler.ts',
    line: 'if (choices.some((one) => one.length === 0)) return [];',
    change: 'one.length === 0 → undefined',
    why: 'It only saves work: rules that leave a part of the call out would not let it run, and are left out for that.',
  },
  {
    file: 'src/engine/permissions/approvalHandler.ts',
    line: 'const widths = Math.max(0, ...choices.map((one) => one.length));',
    change: '0 → (0 + 1)',
    why: 'Where there is no part to be allowed, nothing is asked for either.',
  },
  {
    file: 'src/engine/permissions/authorize.ts',
    line: `if (now.kind === 'ask') return false;`,
    change: 'false → undefined',
    why: 'It is only asked whether it is decided, and both say that it is not.',
  },
  {
    file: 'src/engine/permissions/authorize.ts',
    line: `id: newId('approval'),`,
    change: `'approval' → ''`,
    why: 'A word for who reads the file: an id is as good without it.',
  },
  {
    file: 'src/engine/permissions/permissionStore.ts',
    line: 'this.loaded.set(path, loaded);',
    change: 'this.loaded.set(path, loaded); → nothing',
    why: 'It only saves work: the file is read again.',
  },
  {
    file: 'src/engine/permissions/permissionStore.ts',
    line: 'const stamp = await this.stampOf(path);',
    change: 'await this.stampOf(path) → this.stampOf(path)',
    why: 'It only saves work: the file is read again.',
  },
  {
    file: 'src/engine/permissions/permissionStore.ts',
    line: `return found ? \`\${found.modifiedAt} \${found.size}\` : 'not-found';`,
    change: `'not-found' → ''`,
    why: 'A word that is only compared with itself and with other stamps.',
  },
  {
    file: 'src/engine/permissions/permissionStore.ts',
    line: `return EngineError.is(error) ? error.reason : 'unknown';`,
    change: `'unknown' → ''`,
    why: 'A word that is only compared with itself and with other stamps.',
  },
  {
    file: 'src/engine/permissions/permissionStore.ts',
    line: `return EngineError.is(error) ? error.reason : 'unknown';`,
    change: 'EngineError.is(error) → !(EngineError.is(error))',
    why: 'A word that is only compared with itself and with other stamps.',
  },
  {
    file: 'src/engine/permissions/permissionStore.ts',
    line: 'return Object.hasOwn(workspaces, real) ? (workspaces[real] ?? []) : [];',
    change: 'workspaces[real] ?? [] → workspaces[real]',
    why: 'It is asked before whether it is there, which the compiler does not know.',
  },
  {
    file: 'src/engine/permissions/permissionFile.ts',
    line: 'return `${JSON.stringify(file, undefined, 2)}\\n`;',
    change: '2 → (2 + 1)',
    why: 'A choice: how far the lines of the file are indented.',
  },
  {
    file: 'src/engine/permissions/matchesRule.ts',
    line: "return matched && (!allows || mayBeAllowed(unit)) ? 'yes' : 'no';",
    change: "'yes' → ''",
    why: 'Whoever asks tells “no” and “maybe” from everything else.',
  },
  {
    file: 'src/engine/permissions/toolPolicy.ts',
    line: 'const STRICTNESS: Record<PermissionAction, number> = { allow: 0, ask: 1, deny: 3 };',
    change: '3 → (3 + 1)',
    why: 'Only the order counts, and a denial is the strictest either way.',
  },
  {
    file: 'src/node/vault/programSecrets.ts',
    line: 'const seconds = Math.round(timeoutMs / 1000);',
    change: '1000 → (1000 + 1)',
    why: 'The time is always a minute, which is rounded to the same number.',
  },
];
