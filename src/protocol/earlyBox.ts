import { t } from '../base/l10n';

/** The message box that the panel's document has before the panel's code: the panel's own box goes on with what is typed there. */
export const EARLY_BOX = 'early-message';

/** What an empty message box says. */
export const messageHint = (): string => t('Ask Cairn (@ for context, / for commands)');

/** On the body of the panel's document while it stands in the view, whose title has the buttons that a tab's header has itself. */
export const IN_VIEW = 'data-in-view';
