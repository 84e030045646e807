/** What is used of the YAML library, as a file of its own: it is loaded when the first file of content is read. */
export { isMap, isNode, isPair, LineCounter, parseDocument } from 'yaml';
