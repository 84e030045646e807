import type { ShellWord } from './shellPart';
import { programName } from './unwrapCommand';

const OF_REGISTRY = /(^| )token (list|ls|create)( |$)|(^| )config get .*(auth|token|password)/i;
const OF_HOST = /(^| )auth token( |$)|(^| )auth status .*(-t|--show-token)( |$)|(^| )config get .*token/;
const OF_CLUSTER =
  /config view .*--raw|create token|whoami .*-\w*t|^(?=.*(^| )get )(?=.*(^|[ ,])secrets?([ ,/]|$))(?=.* (-o|--output|--template))/;
const PASSWORDS =
  /^(?!(ls|list|find|search|init|insert|edit|rm|delete|remove|mv|move|cp|copy|git|sync|help|version|--?h(elp)?|--?v(ersion)?)( |$))./;

/** Programs that print keys, passwords, or tokens, and the arguments with which they do, with blanks between them. */
const PRINTS_SECRETS: Readonly<Record<string, RegExp>> = {
  gh: OF_HOST,
  glab: OF_HOST,
  fly: OF_HOST,
  flyctl: OF_HOST,
  databricks: OF_HOST,
  git: /(^| )credential(-[\w-]+)? (.* )?(fill|get)( |$)/,
  'credential-helper': /(^| )(fill|get)( |$)/,
  gcloud: /print-(access|identity)-token|secrets versions access|config-helper/,
  aws: /configure (get .*(secret|token)|export-cred)|get-(login-password|session-token|federation-token|authorization-token|secret-value|password-data)|assume-role|create-access-key|--with-decryption/,
  az: /get-access-token|--expose-token|secret (show|download)|keys? list|list-keys|credential (show|reset)|connection-string|create-for-rbac/,
  op: /(^| )(read|inject|signin|reveal)( |$)|--(reveal|fields?|otp)/,
  pass: PASSWORDS,
  gopass: PASSWORDS,
  rbw: /^(get|code)( |$)/,
  bw: /(^| )(get|list|export|unlock|login)( |$)/,
  lpass: /^(show|export)( |$)/,
  'keepassxc-cli': /^(show|clip|export)( |$)/,
  security: /(^| )(find-\S+-password (.* )?-\w*[wg]|dump-keychain|export)/,
  'secret-tool': /^(lookup|search)( |$)/,
  keyring: /(^| )get( |$)/,
  keyctl: /^(print|pipe|read)( |$)/,
  kubectl: OF_CLUSTER,
  oc: OF_CLUSTER,
  vault: /(^| )(read|unwrap|kv get|print token|token create|operator init)( |$)/,
  heroku: /^(auth:token|config(:get)?)( |$)/,
  doppler: /(^| )(secrets|configure get token)( |$)/,
  infisical: /(^| )(secrets|export|user get token)( |$)/,
  chamber: /(^| )(read|export|env)( |$)/,
  'aws-vault': /(^| )export( |$)/,
  sops: /(^| )(-d|--decrypt|decrypt|--extract)( |$)/,
  'ansible-vault': /^view( |$)/,
  gpg: /(^| )(-\w*d|--decrypt|--export-secret\S*)( |$)/,
  age: /(^| )(-d|--decrypt)( |$)/,
  pulumi: /--show-secrets/,
  npm: OF_REGISTRY,
  pnpm: OF_REGISTRY,
  yarn: OF_REGISTRY,
  'get-secret': /-asp/i,
  'get-azkeyvaultsecret': /-asp/i,
  'convertfrom-securestring': /-asp/i,
  'get-azaccesstoken': /^/,
  netsh: /key=clear/i,
};

/** Returns why a command always asks if it prints secrets, which the model would read, as a sentence; null if it prints none. */
export function printedSecret([program, ...rest]: readonly ShellWord[]): string | null {
  const name = programName(program)
    .replace(/^(git|docker)-credential.*/, 'credential-helper')
    .replace(/^gpg2$/, 'gpg');
  if (!Object.hasOwn(PRINTS_SECRETS, name)) return null;
  // Text of several words, such as a message, says nothing to the program.
  const given = rest.flatMap(({ text }) => (/\s/.test(text) ? [] : [text])).join(' ');
  return PRINTS_SECRETS[name]?.test(given) ? 'It prints a secret, which the model would read.' : null;
}
