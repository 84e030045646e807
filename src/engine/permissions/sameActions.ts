import { SAME_CALLS } from './shell/harmlessCalls';
import type { ShellWord } from './shell/shellPart';
import { behindOptionsOfGit } from './shell/touched/changedByGit';
import { programNameOf } from './shell/unwrapCommand';

/** A command as another one that does the same; `isSure`: with the same options, under any circumstances. */
interface SameAction {
  words: readonly ShellWord[];
  isSure: boolean;
}

/** An action, and other commands with the same effect, as the words with which each begins; its options may be anywhere in it. */
type Row = readonly [action: string, spellings: readonly string[]];

/** They take the same options. */
const SAME: readonly Row[] = [
  [
    'git push',
    [
      ...[
        'send-pack',
        'http-push',
        'subtree push',
        'lfs push',
        'svn dcommit',
        'p4 submit',
        'remote-http',
        'remote-https',
      ].map((subcommand) => `git ${subcommand}`),
      ...['hub push', 'gh repo sync', 'jj git push', 'sl push', 'git town sync'],
    ],
  ],
  ['npm install', ['npm i', 'npm add', 'npm ci', 'npm it', 'npm cit', 'npm isntall', 'npm install-test']],
  ['npm run', ['npm run-script', 'npm rum', 'npm urn']],
  ['docker compose', ['docker-compose', 'podman-compose']],
];

/** They differ in their options, or do more or less. */
const ALIKE: readonly Row[] = [
  [
    'git push',
    [
      ...[
        'gh pr merge',
        'gh pr update-branch',
        'gh pr revert',
        'gh release create',
        'gh repo create --push',
        'glab mr merge',
      ],
      ...[
        'tea pr merge',
        'sl pr',
        'arc land',
        'repo upload',
        'yadm push',
        'vcsh',
        'etckeeper vcs',
        'git-lfs push',
        'lerna publish',
      ],
      ...['lerna version', 'np', 'release-it', 'semantic-release', 'cargo release'],
    ],
  ],
  ['git push --force', ['gt submit', 'gt stack', 'ghstack', 'spr diff', 'spr update']],
  [
    'rm',
    ['unlink', 'rmdir', 'shred', 'srm', 'trash', 'trash-put', 'gio trash', 'git rm', 'cmake -E rm', 'cmake -E remove'],
  ],
  ['rm -rf', ['rimraf', 'del-cli', 'find -delete', 'git clean', 'rsync --delete', 'tar --remove-files']],
  ['npm publish', ['yarn npm publish', 'lerna publish', 'np', 'release-it', 'semantic-release', 'changeset publish']],
  ['npm run test', ['npm test', 'npm t']],
  ['npm run start', ['npm start', 'npm restart']],
  ['npx', ['npm exec', 'npm x', 'pnpm dlx', 'pnpm exec', 'yarn dlx', 'yarn exec', 'bun x']],
  ['git checkout', ['git switch', 'git restore']],
  ['git stash drop', ['git stash pop', 'git stash clear']],
  ['terraform destroy', ['terraform apply -destroy', 'terraform apply --destroy']],
  ['pip install', ['uv pip install', 'pipx install']],
];

/** Programs that send requests. */
const REQUESTERS =
  'curl wget wget2 http https httpie xh curlie wcurl aria2c axel lwp-request lwp-download get post lynx w3m links elinks';

/** Programs that stand in for each other, with the same subcommands or for the same purpose. */
const FAMILIES: readonly (readonly string[])[] = [
  REQUESTERS,
  'npm pnpm yarn bun',
  'npx pnpx bunx',
  'docker podman nerdctl',
  'sudo doas su pkexec runuser run0',
  'terraform tofu terragrunt',
  'kill pkill killall skill',
  'vi vim nvim view ex',
].map((names) => names.split(' '));

/** Git’s own subcommands. Any other is an alias or a program that somebody added. */
const OF_GIT = new Set(
  (
    'add am annotate apply archive bisect blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap ' +
    'check-ref-format checkout checkout-index cherry cherry-pick clean clone column commit commit-graph commit-tree config ' +
    'count-objects credential describe diagnose diff diff-files diff-index diff-pairs diff-tree difftool fast-export fast-import ' +
    'fetch fetch-pack filter-branch fmt-merge-msg for-each-ref for-each-repo format-patch fsck gc get-tar-commit-id grep ' +
    'hash-object help history hook index-pack init init-db interpret-trailers last-modified lfs log ls-files ls-remote ls-tree ' +
    'mailinfo mailsplit maintenance merge merge-base merge-file merge-index merge-one-file merge-tree mergetool mktag mktree ' +
    'multi-pack-index mv name-rev notes pack-objects pack-redundant pack-refs patch-id prune prune-packed pull push range-diff ' +
    'read-tree rebase reflog refs remote repack replace replay repo request-pull rerere reset restore rev-list rev-parse revert ' +
    'rm send-pack shortlog show show-branch show-index show-ref sparse-checkout stage stash status stripspace submodule ' +
    'switch symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info var verify-commit verify-pack ' +
    'verify-tag version whatchanged worktree write-tree subtree svn p4 gui citool instaweb daemon send-email scalar'
  ).split(' '),
);

/** What the interface of a host of repositories changes there as a push would. */
const CHANGES_REPOSITORY =
  /\/(pulls\/[^/]+\/(merge|update-branch)|merge_requests\/[^/]+\/merge|git\/(refs|commits|trees|tags)|merges|merge-upstream|contents\/|repository\/(commits|files|branches|tags|merge))|\bmutation\b/;
const METHOD = /^(?:-X|--(?:method|request)=?)(.*)$/s;
/** Options with which a request carries data. */
const SENDS = /^(-[fFdT]|--(field|raw-field|input|data|json|form|upload|body|post))/;

/** A way to spell an action. */
interface Spelling {
  action: readonly ShellWord[];
  /** The words behind the program. */
  begin: readonly string[];
  isSure: boolean;
}

/** By program. */
const SPELLINGS = new Map<string, Spelling[]>();

for (const [rows, isSure] of [[SAME, true] as const, [ALIKE, false] as const])
  for (const [action, spellings] of rows)
    for (const [program = '', ...begin] of spellings.map((one) => one.split(' ')))
      SPELLINGS.set(program, [
        ...(SPELLINGS.get(program) ?? []),
        { action: action.split(' ').map(exact), begin, isSure },
      ]);

/** Returns a command as other commands that do the same, in particular as those of the program that a rule names. */
export function sameActions(command: readonly ShellWord[], wanted: string): readonly SameAction[] {
  const [program] = command;
  if (program?.kind !== 'exact') return [];
  const own = apart(command);
  const launched = launchedBy(command);
  const ways: readonly SameAction[] = [
    { words: own, isSure: true },
    ...(launched.length > 0 ? [{ words: apart(launched), isSure: false }] : []),
  ];
  const named = programNameOf(wanted);
  const all = [
    ...ways,
    ...ways.flatMap(({ words: [first, ...rest] }): SameAction[] =>
      first && isStandIn(first.text, named) ? [{ words: [exact(wanted), ...rest], isSure: false }] : [],
    ),
  ];
  const others = all.flatMap((one) => spelled(one));
  // Without a subcommand of Git as a program of its own, the first is the command itself.
  return [...(own.length > command.length ? all : all.slice(1)), ...others, ...pushes(command, own[0]?.text ?? '')];
}

/** Whether a command is a subcommand of Git that only its configuration or an added program defines, so that it may be any other. */
export function isAddedToGit(command: readonly ShellWord[]): boolean {
  const [program, ...rest] = command[0]?.kind === 'exact' ? apart(command) : [];
  if (!program || programNameOf(program.text) !== 'git') return false;
  const subcommand = rest[behindOptionsOfGit(rest)];
  return subcommand?.kind === 'exact' && !subcommand.text.startsWith('-') && !OF_GIT.has(subcommand.text);
}

/** Returns what npx and the like run. */
function launchedBy([program, ...rest]: readonly ShellWord[]): readonly ShellWord[] {
  if (!program || !/^(npx|pnpx|bunx)$/.test(programNameOf(program.text))) return [];
  const at = rest.findIndex(({ text }) => !text.startsWith('-'));
  return at === -1 ? [] : rest.slice(at);
}

/** A subcommand of Git may be a separate program: `git-push`. */
function apart([program, ...rest]: readonly ShellWord[]): readonly ShellWord[] {
  const [name = '', ...attached] = programNameOf(program?.text ?? '').split(/(?<=^git)-/);
  return [...[name, ...attached].map(exact), ...rest];
}

/** Whether one program may stand in for another: `python3.12` and `py` for `python`, or `wget` for `curl`. */
function isStandIn(name: string, wanted: string): boolean {
  if (name === wanted) return false;
  return plainName(name) === plainName(wanted) || FAMILIES.some((all) => all.includes(name) && all.includes(wanted));
}

function plainName(name: string): string {
  const unversioned = name.replace(/(?<=[a-z])[\d.]+$/, '');
  return Object.hasOwn(SAME_CALLS, unversioned) ? (SAME_CALLS[unversioned] ?? unversioned) : unversioned;
}

/** Returns the actions that a command carries out under another name, each with what follows that. */
function spelled({ words: [program, ...words], isSure }: SameAction): readonly SameAction[] {
  return (SPELLINGS.get(program?.text ?? '') ?? []).flatMap((one): SameAction[] => {
    const rest = behind(words, one.begin);
    return rest ? [{ words: [...one.action, ...rest], isSure: isSure && one.isSure }] : [];
  });
}

/** Returns the words of a command without those with which an action is spelled; undefined if it is not that action. */
function behind(words: readonly ShellWord[], begin: readonly string[]): readonly ShellWord[] | undefined {
  let rest = words;
  for (const one of begin) {
    const at = rest.findIndex(({ text }, index) =>
      one.startsWith('-')
        ? text === one || text.startsWith(`${one}=`)
        : !text.startsWith('-') && (text === one || !/^-/.test(rest[index - 1]?.text ?? '')),
    );
    if (rest[at] === undefined || (!one.startsWith('-') && rest[at].text !== one)) return undefined;
    rest = [...rest.slice(0, at), ...rest.slice(at + 1)];
  }
  return rest;
}

/** Returns a forced push that is written as a refspec, and a push that goes through the interface of a host. */
function pushes(command: readonly ShellWord[], name: string): readonly SameAction[] {
  const texts = command.map(({ text }) => text);
  const isForced = texts.includes('push') && texts.some((text) => text.startsWith('+'));
  const isInterface = (/^(gh|glab|tea)$/.test(name) && texts.includes('api')) || REQUESTERS.split(' ').includes(name);
  const isChange =
    isInterface &&
    command.some(({ text, kind }) => CHANGES_REPOSITORY.test(text) || (kind !== 'exact' && /\/|graphql/.test(text)));
  const push: SameAction = { words: [exact('git'), exact('push')], isSure: false };
  return [
    ...(isForced ? [{ words: [...command, exact('--force')], isSure: false }] : []),
    ...((isChange || (isInterface && texts.includes('graphql'))) && sends(texts, isChange) ? [push] : []),
  ];
}

/** Whether a request changes something; what a file says is unknown. */
function sends(texts: readonly string[], isChange: boolean): boolean {
  const methods = texts.flatMap((text, at) => {
    const [, glued] = METHOD.exec(text) ?? [];
    return glued === undefined ? [] : [glued === '' ? (texts[at + 1] ?? '') : glued];
  });
  if (methods.some((method) => /^(get|head)$/i.test(method))) return false;
  const given = texts.filter((text) => SENDS.test(text));
  return isChange ? methods.length + given.length > 0 : texts.some((text) => /^--input|=@/.test(text));
}

function exact(text: string): ShellWord {
  return { text, kind: 'exact' };
}
