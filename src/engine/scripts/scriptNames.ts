/** `get_weather` of `/tools/get_weather.sh`. */
export function stemOf(path: string): string {
  return path.replace(/^.*[/\\]/, '').replace(/\.[^.]*$/, '');
}

/** Providers take no longer name of a tool, and refuse the whole request for one. */
export const MOST_NAME = 64;

/** As models call it: `Get-Weather` is `get_weather`. What starts it goes by the name in the script. */
export function functionName(written: string): string {
  const name = written
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return (/^[a-z]/.test(name) ? name : `tool_${name}`).slice(0, MOST_NAME);
}
