/**
 * What zod finds where it looks for the settings that all of its copies in a process share: esbuild puts it there, in the command
 * alone. It would write code for each schema and compile it, which pays only in a program that runs for long.
 */
export const zodConfig = { jitless: true };
