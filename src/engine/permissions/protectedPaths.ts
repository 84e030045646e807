import { matchesWildcard } from '../../base/wildcard';

/** Names that hold secrets, run code by being there, or steer the tools around them; as any part of a path. */
const PROTECTED_NAMES = [
  '.git',
  '.vscode',
  '.cairn',
  '.ssh',
  '.gnupg',
  '.aws',
  '.env',
  '.env.*',
  '.envrc',
  '.bashrc',
  '.bash_profile',
  '.profile',
  '.zshrc',
  '.zprofile',
  '.zshenv',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.netrc',
  '.pypirc',
  '.gitconfig',
  '.gitmodules',
  '.git-credentials',
  '.husky',
  '.githooks',
  '.devcontainer',
  '.mcp.json',
  '*.code-workspace',
  // Of other agents.
  '.claude',
  '.codex',
  '.cursor',
  '.opencode',
  '.gemini',
  '.windsurf',
  '.roo',
  '.continue',
  '.aider.conf.yml',
];
/** What steers agents beside the code. */
const STEERING = ['agents', 'chatmodes', 'instructions', 'prompts', 'skills'].map((name) => `.github/${name}`);

/** The same for names that say it only together with the folder around them. */
const PROTECTED_PAIRS = ['.github/workflows', '.github/actions', ...STEERING, '.cargo/config.toml', '.cargo/config'];

const PLAIN_NAME = /^[\w.@+-]*[\w@+-]$/;

/**
 * A name as some system takes it: Windows leaves off dots and blanks at its end and what follows a colon, and HFS+ looks past
 * characters that are not seen.
 */
function asSystemsTake(part: string): string {
  const seen = part.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '').replace(/(?<=.):.*$/s, '');
  return seen.trim().replace(/[. ]+$/, '') || part;
}

/** The part of the path that is protected, or undefined. */
export function protectedPart(relativePath: string): string | undefined {
  const parts = relativePath.split('/').filter((part) => part !== '' && part !== '.');
  const lower = parts.map((part) => (PLAIN_NAME.test(part) ? part : asSystemsTake(part)).toLowerCase());
  const at = lower.findIndex((part) => PROTECTED_NAMES.some((pattern) => matchesWildcard(pattern, part)));
  if (at !== -1) return parts[at];
  const pair = lower.findIndex((part, index) => PROTECTED_PAIRS.includes(`${part}/${lower[index + 1] ?? ''}`));
  return pair === -1 ? undefined : parts.slice(pair, pair + 2).join('/');
}
