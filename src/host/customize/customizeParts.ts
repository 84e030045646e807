/** What is loaded with the first look at customizations, or with the first such file that is opened. */
export { contentCompletion, contentHover } from './contentCompletion';
export { contentDocument } from './contentDocuments';
export { contentFixes } from './contentFixes';
export { ContentProblems } from './contentProblems';
export { customizationChildren, customizationItem } from './customizationTree';
export { chatWith, showPrompt } from './useAgent';
export { duplicate, writeNew } from './writeContent';
