/** Returns `get_weather` for `/tools/get_weather.sh`. */
export function stemOf(path: string): string {
  return path.replace(/^.*[/\\]/, '').replace(/\.[^.]*$/, '');
}

/** Providers reject a whole request if a tool name is longer. */
export const MOST_NAME = 64;

/** Converts a name to the form models use: `Get-Weather` becomes `get_weather`. To start the function, the name in the script is used. */
export function functionName(written: string): string {
  const name = written
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return (/^[a-z]/.test(name) ? name : `tool_${name}`).slice(0, MOST_NAME);
}
