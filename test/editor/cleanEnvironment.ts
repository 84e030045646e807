const KEEP =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|SystemRoot|ComSpec|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE)$/i;

/** This process's environment less everything that could change a test: keys, endpoints, npm's and CI's variables. */
export function cleanEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).flatMap(([name, value]): [string, string][] =>
    value !== undefined && KEEP.test(name) ? [[name, value]] : [],
  );
  return Object.fromEntries(entries);
}
