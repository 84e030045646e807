import { matchesWildcard } from '../../base/wildcard';

/** Names that hold secrets, run code by being there, or steer the tools around them; as any part of a path. */
const PROTECTED_NAMES = [
  '.git',
  '.vscode',
  '.cairn',
  '.ssh',
  '.gnupg',
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
  '.netrc',
  '.gitconfig',
  '.gitmodules',
];

/** The part of the path that is protected, or undefined. */
export function protectedPart(relativePath: string): string | undefined {
  return relativePath
    .split('/')
    .find((part) => PROTECTED_NAMES.some((pattern) => matchesWildcard(pattern, part.toLowerCase())));
}
