/**
 * The settings that zod shares between all its copies in a process; esbuild injects them into the command only. By default zod
 * generates and compiles code for each schema, which pays off only in long-running programs.
 */
export const zodConfig = { jitless: true };
