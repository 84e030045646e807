interface V8Flag {
  name: string;
  /** For a program that waits most of the time. */
  light: number;
  /** What V8 has without it. */
  usual: number;
}

/**
 * Of the majors of Node that were measured, since each has flags of its own: code is optimised when it runs often, not when it
 * ran some dozen times, and the young generation grows no more.
 */
const FLAGS: Readonly<Record<string, readonly V8Flag[]>> = {
  20: [
    { name: 'interrupt-budget', light: 600_000, usual: 67_584 },
    { name: 'semi-space-growth-factor', light: 1, usual: 2 },
  ],
  24: [{ name: 'invocation-count-for-maglev', light: 1500, usual: 400 }],
};

/**
 * Has V8 spend less on a program that mostly waits for models and tools: no core is taken from the tools for code that will
 * hardly run again, and less memory makes starting a process cheaper, which copies the page table. Loops that are really hot
 * are still optimised within milliseconds. To be called once there is time: what it needs is loaded then.
 *
 * At the exit all is as usual again, before listeners that were there already: V8 takes back compiled code only under the flags
 * that it was kept under.
 */
export function lightenV8(): void {
  const flags = FLAGS[Number.parseInt(process.versions.node, 10)];
  if (!flags) return;
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const { name, light } of flags) setFlagsFromString(`--${name}=${light}`);
  process.prependOnceListener('exit', () => {
    for (const { name, usual } of flags) setFlagsFromString(`--${name}=${usual}`);
  });
}
