import { withoutEnd } from '../../base/truncate';

/** Files that do nothing but instruct agents: plain text that may be read as such. */
export const AGENT_RULES = wordsOf(
  '.cursorrules .windsurfrules .clinerules .roorules .kilocoderules .goosehints .augment-guidelines',
);

/** Folders of agents' files: protected against being written, but not against being read, as far as they contain text. */
export const AGENT_FOLDERS = wordsOf(
  '.cairn .agents .claude .claude-plugin .cursor-plugin .codex-plugin .codex .copilot .cursor .opencode .gemini .windsurf .roo .kilocode .continue .kiro .amazonq .augment .trae .junie .qwen .crush .factory .goose',
);

/** Names that store secrets, run code by their mere presence, or steer the tools around them; protected as any part of a path. */
const PROTECTED_NAMES = [
  ...AGENT_RULES,
  // Version control and what it starts.
  ...wordsOf('.git .hg .svn .jj .gitconfig .hgrc .gitmodules .lfsconfig .git-credentials .husky .githooks'),
  ...wordsOf('.pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml .overcommit.yml .lintstagedrc*'),
  ...wordsOf('lefthook*.yml lefthook*.yaml lefthook*.toml .lefthook*'),
  // Build and deployment configuration of servers.
  ...wordsOf('*.gitlab-ci.yml *.gitlab-ci.yaml .circleci .buildkite .woodpecker* .drone.yml .drone.yaml .drone.star'),
  ...wordsOf(
    '.travis.yml .cirrus.yml .cirrus.star .appveyor.yml appveyor.yml .semaphore .teamcity bitbucket-pipelines.yml',
  ),
  ...wordsOf('azure-pipelines*.yml azure-pipelines*.yaml .azure-pipelines Jenkinsfile Jenkinsfile.* *.Jenkinsfile'),
  ...wordsOf('cloudbuild.yaml cloudbuild.yml buildspec.yml buildspec.yaml'),
  // Editors and containers.
  ...wordsOf('.vscode .idea .vs .fleet .zed .devcontainer .devcontainer.json *.code-workspace'),
  ...wordsOf('.exrc .vimrc .gvimrc .nvimrc .nvim.lua .lvimrc .emacs .emacs.d .dir-locals*.el'),
  // Shells, and what runs when a folder is entered or a session begins.
  ...wordsOf('.bashrc .bash_profile .bash_aliases .bash_login .bash_logout .profile .kshrc .mkshrc .cshrc .tcshrc'),
  ...wordsOf(
    '.zshrc .zprofile .zshenv .zlogin .zlogout profile.ps1 *_profile.ps1 .inputrc .xprofile .xinitrc .xsession*',
  ),
  ...wordsOf(
    '.pam_environment .screenrc .tmux.conf .env .env.* .envrc .direnvrc mise.toml mise.*.toml .mise.toml .mise.*.toml',
  ),
  // Interpreters and debuggers, which read them where they are started.
  ...wordsOf('.Rprofile .Renviron .pdbrc .irbrc .pryrc .ghci .iex.exs .ocamlinit .octaverc .gdbinit .lldbinit .perldb'),
  ...wordsOf('.psqlrc .sqliterc'),
  // Package managers and builds.
  ...wordsOf(
    '.npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.mjs .pnp.cjs .pnp.loader.mjs bunfig.toml .bunfig.toml',
  ),
  ...wordsOf('.pypirc pip.conf .condarc .gemrc NuGet.Config .mvn .bazelrc'),
  // Keys and credentials.
  ...wordsOf('.ssh .gnupg .aws .azure .kube .netrc _netrc .pgpass .pg_service.conf .my.cnf .mylogin.cnf .boto .s3cfg'),
  ...wordsOf('.vault-token .terraformrc .terraform.d .dockercfg .curlrc .wgetrc .password-store .*_history'),
  ...wordsOf('id_rsa id_dsa id_ecdsa id_ed25519 *.pem *.ppk *.p12 *.pfx *.jks *.keystore *.kdbx'),
  // Cairn and other agents.
  ...AGENT_FOLDERS,
  ...wordsOf('.claude.json gemini-extension.json opencode.json opencode.jsonc .roomodes .kilocodemodes'),
  ...wordsOf('.continuerc.json .aider.conf.yml .aider.model.settings.yml .crush.json crush.json .mcp.json'),
];

/** Names that are protected only in combination with the folder around them. */
const PAIRS = [
  ...wordsOf('.github/workflows .github/actions .github/agents .github/chatmodes .github/hooks .github/instructions'),
  ...wordsOf('.github/prompts .github/plugin .github/skills .github/copilot-instructions.md .gitlab/ci .gitlab/agents'),
  ...wordsOf('.forgejo/workflows .forgejo/actions .gitea/workflows .gitea/actions'),
  ...wordsOf('.cargo/config.toml .cargo/config .cargo/credentials.toml .cargo/credentials'),
  ...wordsOf('.yarn/releases .yarn/plugins .yarn/sdks .bundle/config .gem/credentials .composer/auth.json'),
  ...wordsOf('.gradle/gradle.properties .gradle/init.gradle .gradle/init.gradle.kts .gradle/init.d'),
  ...wordsOf('.m2/settings.xml .m2/settings-security.xml .docker/config.json'),
  ...wordsOf(
    '.config/cairn .config/opencode .config/agents .config/goose .config/gh .config/hub .config/gcloud .config/git .config/op .config/rclone',
  ),
  ...wordsOf('.config/containers .config/pip .config/composer .config/fish .config/powershell .config/mise'),
  ...wordsOf('.config/direnv .config/nvim .config/systemd .config/autostart'),
];

/** In lowercase. */
export const PROTECTED_PAIRS: ReadonlySet<string> = new Set(PAIRS.map((pair) => pair.toLowerCase()));

const LOWER = PROTECTED_NAMES.map((name) => name.toLowerCase());
const WHOLE_NAMES: ReadonlySet<string> = new Set(LOWER);
const PATTERNS = LOWER.filter((name) => name.includes('*'));
const AS_PATTERN = new RegExp(`^(${PATTERNS.join('|').replaceAll('.', '\\.').replaceAll('*', '.*')})$`, 's');

/** Whether a lowercase name is protected wherever it appears. */
function isProtectedName(name: string): boolean {
  return WHOLE_NAMES.has(name) || AS_PATTERN.test(name);
}

/** Matches every text that contains a protected name, and few others. */
export const MAY_BE_PROTECTED = /\.|jenkinsfile|id_(rsa|dsa|ecdsa|ed25519)|_netrc|\/environ/iu;

function wordsOf(text: string): readonly string[] {
  return text.split(' ');
}

const PLAIN_NAME = /^[\w.@+-]*[\w@+-]$/;

/**
 * Returns a name as some file system takes it: Windows drops trailing dots and blanks and what follows a colon, HFS+ ignores
 * invisible characters, and APFS equates ſ with s and ﬁ with fi. A tilde at the end marks an editor's copy of the file.
 */
function asSystemsTake(part: string): string {
  const seen = part.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '').replace(/(?<=.):.*$/s, '');
  return (withoutEnd(seen.trim(), '. ~') || part).toUpperCase();
}

/** Returns the part of the path that is protected, if any. */
export function protectedPart(relativePath: string): string | undefined {
  const parts = relativePath.split('/').filter((part) => part !== '' && part !== '.');
  const lower = parts.map((part) => (PLAIN_NAME.test(part) ? part : asSystemsTake(part)).toLowerCase());
  const at = lower.findIndex(isProtectedName);
  if (at !== -1) return parts[at];
  // The variables of a process, which are where programs are given their keys.
  const variables = lower.lastIndexOf('environ');
  if (variables > lower.indexOf('proc') && lower.includes('proc')) return parts[variables];
  const pair = lower.findIndex((part, index) => PROTECTED_PAIRS.has(`${part}/${lower[index + 1] ?? ''}`));
  return pair === -1 ? undefined : parts.slice(pair, pair + 2).join('/');
}
