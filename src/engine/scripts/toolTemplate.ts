import type { ScriptLanguage } from './scriptDescription';

const BASH = `#!/usr/bin/env bash
set -e

# @describe Counts the lines of a file.
# @option --path! The file, from the workspace
# @option --word Only lines that contain this
# @flag --blank Count blank lines as well

main() {
    local lines
    lines=$(cat "$argc_path")
    if [ -z "$argc_blank" ]; then lines=$(grep -v '^[[:space:]]*$' <<<"$lines" || true); fi
    if [ -n "$argc_word" ]; then lines=$(grep -F -- "$argc_word" <<<"$lines" || true); fi
    # What the model is told goes here; what is printed is shown while the tool runs.
    grep -c '' <<<"$lines" >> "$LLM_OUTPUT"
}
`;

const PYTHON = `from typing import Optional


def run(path: str, word: Optional[str] = None, blank: bool = False):
    """Counts the lines of a file.

    Args:
        path: The file, from the workspace
        word: Only lines that contain this
        blank: Count blank lines as well
    """
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    return len([line for line in lines if (blank or line.strip()) and (word is None or word in line)])
`;

const TYPESCRIPT = `import { readFile } from 'node:fs/promises';

/**
 * Counts the lines of a file.
 * @param path - The file, from the workspace
 * @param word - Only lines that contain this
 * @param blank - Count blank lines as well
 */
export async function run(path: string, word?: string, blank: boolean = false): Promise<number> {
  const lines = (await readFile(path, 'utf8')).split('\\n');
  return lines.filter((line) => (blank || line.trim() !== '') && (word === undefined || line.includes(word))).length;
}
`;

const JAVASCRIPT = `const { readFile } = require('node:fs/promises');

/**
 * Counts the lines of a file.
 * @typedef {Object} Args
 * @property {string} path - The file, from the workspace
 * @property {string} [word] - Only lines that contain this
 * @property {boolean} [blank] - Count blank lines as well
 * @param {Args} args
 */
exports.run = async function run({ path, word, blank = false }) {
  const lines = (await readFile(path, 'utf8')).split('\\n');
  return lines.filter((line) => (blank || line.trim() !== '') && (word === undefined || line.includes(word))).length;
};
`;

/** The file extension for each tool language. */
export const TOOL_LANGUAGES: Readonly<Record<ScriptLanguage, string>> = {
  bash: 'sh',
  python: 'py',
  typescript: 'ts',
  javascript: 'js',
};

const TEMPLATES: Readonly<Record<ScriptLanguage, string>> = {
  bash: BASH,
  python: PYTHON,
  typescript: TYPESCRIPT,
  javascript: JAVASCRIPT,
};

/** Returns a working tool, as a starting point for a new one. */
export function toolTemplate(language: ScriptLanguage): string {
  return TEMPLATES[language];
}
