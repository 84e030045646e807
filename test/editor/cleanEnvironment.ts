const KEEP =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|SystemRoot|ComSpec|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE)$/i;

/** Returns this process's environment without anything that could affect a test: keys, endpoints, and the variables of npm and CI. */
export function cleanEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).flatMap(([name, value]): [string, string][] =>
    value !== undefined && KEEP.test(name) ? [[name, value]] : [],
  );
  return Object.fromEntries(entries);
}
