import type { ShellPart, ShellWord } from './shellPart';

/** Commands that print the password for a registry, and the hosts of that registry. */
const SIGN_INS: readonly (readonly [prints: RegExp, hosts: RegExp])[] = [
  [
    /^aws (ecr|ecr-public) get-login-password( --(region|profile)[ =]\S+)*$/,
    /^(https:\/\/)?(\d+\.dkr\.ecr(-fips)?\.[a-z\d-]+\.amazonaws\.com(\.cn)?|public\.ecr\.aws)(\/[\w./-]*)?$/,
  ],
  [/^gcloud auth print-access-token$/, /^(https:\/\/)?([a-z]+\.)?(gcr\.io|[a-z\d-]+-docker\.pkg\.dev)\/?$/],
  [/^gh auth token$/, /^(https:\/\/)?ghcr\.io\/?$/],
];
/** A sign-in that reads the password and shows nothing of it, up to the host. */
const SIGNS_IN =
  /^((docker|podman|nerdctl|buildah|skopeo) login|helm registry login)(?= .*--password-stdin)( (-u|--username)([ =]\S+|[^\s=]\S*)| --password-stdin)* (?<host>[^-\s]\S*)( (-u|--username)([ =]\S+|[^\s=]\S*)| --password-stdin)*$/;
const MOST_TEXT = 500;
const DIVERTS = /^(eval|source|\.|trap|enable|hash|builtin|command)$/;
const SETTINGS = /(CONFIG\w*|AUTH_\w*|HOME|XDG_\w*|HOST)=/;
/** The only command of a line, which gets the token of GitHub's program in its environment; `env` in a filter could show it. */
const GIVEN_TOKEN = /^(GH|GITHUB)_TOKEN="?\$\(gh auth token\)"?$/;
const OF_GITHUB =
  /^gh (api|cache|gist|issue|label|pr|project|release|repo|ruleset|run|search|secret|status|variable|workflow)( (?!.*env).*)?$/is;

/** Whether the secret that a command of a line prints goes to a program of the same vendor only, and nobody else reads it. */
export function isHandedOn(line: string, parts: readonly ShellPart[], at: number): boolean {
  // In zsh, these two signs together are no pipe.
  if (/&\s*\|/.test(line)) return false;
  const [part, next] = [parts[at], parts[at + 1]];
  if (!part || !next || [part, next].some(({ redirections, repeats }) => redirections.length > 0 || repeats))
    return false;
  const [printed, command] = [textOf(part.words), textOf(next.words)];
  if (part.assignments.length > 0 || next.inputs.length > 0 || /[<>]/.test(part.text + next.text)) return false;
  if (printed.length + command.length > MOST_TEXT || parts.some(mayDivert)) return false;
  if (next.isPiped && next.assignments.length === 0) {
    const host = next.words.every(isExact) ? SIGNS_IN.exec(command)?.groups?.['host'] : undefined;
    return SIGN_INS.some(([prints, hosts]) => host !== undefined && prints.test(printed) && hosts.test(host));
  }
  // A shell that shows what it runs would show the value.
  const [given, ...others] = next.assignments;
  const isAlone = parts.length === 2 && others.length === 0 && printed === 'gh auth token';
  return isAlone && given !== undefined && GIVEN_TOKEN.test(given.text) && OF_GITHUB.test(command);
}

/** Whether a command may change what the others are, or where the program keeps its sign-ins. */
function mayDivert({ words: [program], text }: ShellPart): boolean {
  return DIVERTS.test(program?.text ?? '') || SETTINGS.test(text);
}

function textOf(words: readonly ShellWord[]): string {
  return words.map(({ text }) => text).join(' ');
}

function isExact({ kind }: ShellWord): boolean {
  return kind === 'exact';
}
