import { t } from '../base/l10n';

const CATEGORIES = ['file', 'folder', 'symbol', 'agent', 'terminal', 'resource'] as const;

/** A category that narrows `@`: the text before a colon, as in `@file:date`. */
export type ContextCategory = (typeof CATEGORIES)[number];

interface CategoryWords {
  name: ContextCategory;
  /** Label of the category's row and group. */
  label: string;
  icon: string;
  detail: string;
  /** Shown when nothing matches. */
  none: string;
}

/** Returns the categories in display order. */
export function contextCategories(): readonly CategoryWords[] {
  return [
    {
      name: 'file',
      label: t('Files'),
      icon: 'file',
      detail: t('Open files first'),
      none: t('No files found'),
    },
    {
      name: 'folder',
      label: t('Folders'),
      icon: 'folder',
      detail: t('With a list of their contents'),
      none: t('No folders found'),
    },
    {
      name: 'symbol',
      label: t('Symbols'),
      icon: 'symbol-method',
      detail: t('Functions, classes, and more'),
      none: t('No symbols found'),
    },
    {
      name: 'agent',
      label: t('Agents'),
      icon: 'robot',
      detail: t('Has another agent work on it'),
      none: t('No agents found'),
    },
    {
      name: 'terminal',
      label: t('Terminal'),
      icon: 'output',
      detail: t('Latest output of commands'),
      none: t('No terminal found'),
    },
    {
      name: 'resource',
      label: t('Resources'),
      icon: 'plug',
      detail: t('From MCP servers'),
      none: t('No resources found'),
    },
  ];
}

/** Splits what was typed after `@` into its category and search words. */
export function readContextQuery(query: string): { only: ContextCategory | null; words: string } {
  const category = CATEGORIES.find((name) => query.toLowerCase().startsWith(`${name}:`));
  // The address of a file is not a search for files.
  if (!category || query.startsWith('file://')) return { only: null, words: query };
  return { only: category, words: query.slice(category.length + 1) };
}
