/** Loaded when customizations are first shown or such a file is first opened. */
export { contentCompletion, contentHover } from './contentCompletion';
export { contentDocument, contentFixes } from './contentDocuments';
export { graphLenses } from '../graphs/graphLenses';
export { graphNames } from './graphNames';
export { ContentProblems } from './contentProblems';
export { customizationChildren, customizationItem } from './customizationTree';
export { chatWith, duplicate, showPrompt, writeNew, writeNewGraph } from './writeContent';
export { serverProblems } from '../mcp/serverProblems';
