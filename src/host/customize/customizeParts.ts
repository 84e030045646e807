/** What is loaded with the first look at customizations, or with the first such file that is opened. */
export { contentCompletion, contentHover } from './contentCompletion';
export { contentDocument, contentFixes } from './contentDocuments';
export { graphLenses } from '../graphs/graphLenses';
export { graphNames } from './graphNames';
export { ContentProblems } from './contentProblems';
export { customizationChildren, customizationItem } from './customizationTree';
export { chatWith, duplicate, showPrompt, writeNew } from './writeContent';
export { serverProblems } from '../mcp/serverProblems';
