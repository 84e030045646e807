import type { ShellWord } from './shellPart';
import { programName } from './unwrapCommand';

const OF_REGISTRY = /(^| )token (list|ls|create)( |$)|(^| )config get .*(auth|token|password)/i;
const OF_HOST =
  /(^| )auth (token|git-credential)( |$)|(^| )auth status .*(-t|--show-token)( |$)|(^| )config get .*token|(^| )variable (get|list|export)/;
const OF_FLY = /(^| )(auth token|tokens create|config env)( |$)/;
const OF_CLUSTER =
  /config view .*--raw|create token|whoami .*-\w*t|^(?=.*(^| )get )(?=.*(^|[ ,/])secrets?([ ,/]|$))(?=.* (-o|--output|--template|--raw))|view-secret/;
const PASSWORDS =
  /^(?!(ls|list|find|search|init|insert|edit|rm|delete|remove|mv|move|cp|copy|git|sync|help|version|--?h(elp)?|--?v(ersion)?)( |$))./;
/** A value by its name, or all of them, is printed even if it is marked as sensitive. */
const OF_STATE = /(^| )(show|state (pull|show)|console)( |$)|(^| )output (.* )?(-+(raw|json)|[^- ]\S*)( |$)/;
/** Settings of an app, with their values. */
const OF_SITE = /(^| )env:(list|get|export)/;
const OF_APP = /(^| )(env|oauth-token|service-key)( |$)/;
const OF_STORE = /(^| )(alias (ls|list)|config host (ls|list))( |$)/;
const OF_COPIER = /(^| )(config (show|dump)|reveal)( |$)/;

/** Programs that print keys, passwords, or tokens, and the arguments with which they do, with blanks between them. */
const PRINTS_SECRETS: Readonly<Record<string, RegExp>> = {
  gh: /(^| )auth (token|git-credential)( |$)|(^| )auth status .*(-t|--show-token)( |$)|(^| )config get .*token/,
  glab: OF_HOST,
  fly: OF_FLY,
  flyctl: OF_FLY,
  databricks: OF_HOST,
  git: /(^| )credential(-[\w-]+)? (.* )?(fill|get)( |$)|(^| )config (?=.*get).*(extraheader|token|passw|oauth)/i,
  'credential-helper': /(^| )(fill|get)( |$)/,
  gcloud:
    /print-(access|identity)-token|secrets versions access|config-helper|service-accounts keys create -|reset-windows-password/,
  aws: /configure (get .*(secret|token)|export-cred)|get-(login-password|session-token|federation-token|authorization-token|secret-value|password-data|token|role-credentials|function(-configuration)?)( |$)|assume-role|create-access-key|--with-decryption|generate-db-auth-token|initiate-auth/,
  az: /get-access-token|--expose-token|secret (show|download)|keys? list|list-keys|credential (show|reset)|connection-string|create-for-rbac|appsettings list|publishing-profiles|generate-sas/,
  op: /(^| )(read|inject|signin|reveal|document get)( |$)|--(reveal|fields?|otp|no-masking)/,
  pass: PASSWORDS,
  gopass: PASSWORDS,
  passage: PASSWORDS,
  rbw: /^(get|code)( |$)/,
  bw: /(^| )(get|list|export|unlock|login)( |$)/,
  lpass: /^(show|export)( |$)/,
  dcli: /^(password|p|note|n|otp|o|read|inject)( |$)/,
  ksm: /(^| )secret (get|notation)/,
  'keepassxc-cli': /^(show|clip|export)( |$)/,
  'kwallet-query': /(^| )-\w*r/,
  security: /(^| )(find-\S+-password (.* )?-\w*[wg]|dump-keychain|export)/,
  'secret-tool': /^(lookup|search)( |$)/,
  keyring: /(^| )get( |$)/,
  keyctl: /^(print|pipe|read)( |$)/,
  kubectl: OF_CLUSTER,
  oc: OF_CLUSTER,
  helm: /(^| )get (all|values|manifest|hooks)( |$)/,
  argocd: /generate-token|initial-password/,
  vault:
    /(^| )(read|unwrap|kv get|print token|token (create|lookup|renew)|login|operator init)( |$)|(^| )write (.* )?\S*(login|issue|creds|token)/,
  consul: /(^| )acl token (read|list|create)( |$)/,
  nomad: /(^| )(var get|acl token (create|info|self))( |$)/,
  conjur: /(^| )variable (get|value)( |$)/,
  akeyless: /get-(\w+-)?secret-value/,
  heroku: /^(auth:token|config(:get)?|authorizations(:\w+)?|\w+:credentials(:\w+)?)( |$)/,
  railway: /^variables?( |$)/,
  netlify: OF_SITE,
  ntl: OF_SITE,
  vercel: /(^| )env pull( |$)/,
  firebase: /functions:(config:get|secrets:access)|login:ci/,
  supabase: /(^| )(projects api-keys|status)( |$)/,
  eb: /^printenv( |$)/,
  cf: OF_APP,
  ibmcloud: /oauth-tokens|service-key/,
  doctl: /(^| )(auth token|docker-config|kubeconfig show)( |$)|databases (.* )?(get|connection|list)( |$)/,
  yc: /create-token|payload get/,
  oci: /session export|secret-bundle get/,
  scw: /(^| )(config (dump|get)|secret version access)( |$)/,
  stripe: /(^| )config (.* )?--list/,
  snyk: /(^| )config get/,
  travis: /^token( |$)/,
  doppler: /(^| )(secrets|configure get token)( |$)/,
  infisical: /(^| )(secrets|export|user get token)( |$)/,
  chamber: /(^| )(read|export|env)( |$)/,
  teller: /^(env|sh|show|yaml|export|copy)( |$)/,
  berglas: /^(access|edit)( |$)/,
  dotenvx: /^(get|decrypt|keypair)( |$)/,
  'aws-vault': /(^| )export( |$)/,
  sops: /(^| )(-d|--decrypt|decrypt|--extract)( |$)/,
  'ansible-vault': /^(view|decrypt .*--output[= ]-)( |$)/,
  gpg: /(^| )(-\w*d|--decrypt|--export-secret\S*)( |$)/,
  age: /(^| )(-d|--decrypt)( |$)/,
  openssl:
    /^(rsa|pkey|ec|dsa|pkcs8)( |$)(?!.* -(pubin|out) )(?!.* -pubout)(?!.* -noout(?!.* -text))|^pkcs12 (?!.*-(nokeys|export|out) ?)/,
  wg: /^(showconf|show .*(private|preshared)-keys?)/,
  nmcli: /(^| )(-\w*s|--show-secrets|show-password)( |$)/,
  svn: /--show-passwords/,
  mc: OF_STORE,
  rclone: OF_COPIER,
  s3cmd: /--dump-config/,
  'redis-cli': /config get .*(pass|auth)/i,
  pulumi: /--show-secrets|(^| )config get( |$)|(^| )env (open|get|run)( |$)/,
  terraform: OF_STATE,
  tofu: OF_STATE,
  terragrunt: OF_STATE,
  composer:
    /(^| )config (?!.*--unset)(.* )?(-l|--list|-\w*l\w*|[\w.-]*(oauth|token|basic|bearer|auth|custom-headers)[\w.-]*)( |$)/,
  php: /(^| )config:show/,
  rails: /(credentials|encrypted):show/,
  rake: /(credentials|encrypted):show/,
  dotnet: /(^| )user-secrets list/,
  docker:
    /(^| )compose (.* )?config( |$)(?!.*(-q|--quiet|--services|--images|--volumes|--profiles|--no-interpolate)( |$))/,
  'docker-compose': /(^| )config( |$)(?!.*(-q|--quiet|--services|--images|--volumes|--profiles|--no-interpolate)( |$))/,
  npm: OF_REGISTRY,
  pnpm: OF_REGISTRY,
  yarn: OF_REGISTRY,
  'get-secret': /-asp/i,
  'get-azkeyvaultsecret': /-asp/i,
  'convertfrom-securestring': /-asp/i,
  'get-azaccesstoken': /^/,
  find: /(^| )\/proc(\/\S*)? .*(-exec|environ)/,
  netsh: /key=clear/i,
};

/** Programs that start the one that follows, or run a file of such a program. */
const LAUNCHERS = /^(npx|pnpx|bunx|npm|pnpm|yarn|bun|uvx?|pipx|poetry|bundle|python[\d.]*|php|deno)$/;
/** Programs that give a command variables from elsewhere, many of which are secrets. */
const GIVES_VARIABLES =
  /^(docker(-compose)?|podman|nerdctl|kubectl|oc|heroku|railway|fly(ctl)?|netlify|vercel|doppler|op|aws-vault|chamber|infisical|dotenvx|teller|sops|berglas|eb|pulumi)$/;
const SHOWS_VARIABLES = /(^|[;|&/]\s*)(env|printenv|export -p|set|declare -[xp])(?=\s*($|[;|&>]))|\/environ\b/;
const HANDS_ON = /^(exec|run|exec-env|ssh|--|-c|-C|sh|bash|[\w-]+:exec)$/;

/** In characters; some of the expressions above look at each word again from several others. */
const MOST_TEXT = 50_000;

/** Returns why a command always asks if it prints secrets, which the model would read, as a sentence; null if it prints none. */
export function printedSecret(words: readonly ShellWord[]): string | null {
  const [program, ...rest] = words;
  const name = programName(program)
    .replace(/^(git|docker)-credential.*/, 'credential-helper')
    .replace(/^gpg2$/, 'gpg')
    .replace(/\.phar$/, '');
  const launched = LAUNCHERS.test(name) ? rest.findIndex((word) => isKnown(launchedName(word))) : -1;
  const isPrinted =
    prints(name, rest) ||
    (launched !== -1 && prints(launchedName(rest[launched]), rest.slice(launched + 1))) ||
    (GIVES_VARIABLES.test(name) && showsVariables(rest)) ||
    (name === 'ps' && rest.some(({ text }, at) => isOtherVariables(text, rest[at - 1]?.text ?? '')));
  return isPrinted ? 'It prints a secret, which the model would read.' : null;
}

function launchedName(word: ShellWord | undefined): string {
  return programName(word).replace(/\.phar$/, '');
}

function isKnown(name: string): boolean {
  return Object.hasOwn(PRINTS_SECRETS, name);
}

function prints(name: string, rest: readonly ShellWord[]): boolean {
  if (!isKnown(name)) return false;
  // Text of several words, such as a message, says nothing to the program.
  const given = rest.flatMap(({ text }) => (/\s/.test(text) ? [] : [text])).join(' ');
  return given.length > MOST_TEXT || PRINTS_SECRETS[name]?.test(given) === true;
}

/** Whether the command that a program runs only shows the variables that it is given. */
function showsVariables(rest: readonly ShellWord[]): boolean {
  const at = rest.findIndex(({ text }) => HANDS_ON.test(text));
  if (at === -1) return false;
  const [last] = rest.slice(-1);
  return rest.slice(at + 1).some((word) => {
    const isWhole = word === last || /\s/.test(word.text);
    return isWhole ? SHOWS_VARIABLES.test(word.text) : word.text === 'printenv';
  });
}

/** Whether a word lets ps show the variables of other processes: a letter among others without a dash. */
function isOtherVariables(text: string, before: string): boolean {
  return (/^[a-zA-Z]*e[a-zA-Z]*$/.test(text) && !/^-/.test(before)) || /^-[a-zA-Z]*E/.test(text);
}
