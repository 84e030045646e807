/** Content that the bundler puts in: Markdown as text, YAML as the value it describes. */
declare module '*.md' {
  const text: string;
  export default text;
}
declare module '*.yaml' {
  const value: unknown;
  export default value;
}
declare module '*.css';

/** Front matter of what comes with Cairn → its value, read by the build. */
declare module '*.frontMatter' {
  const known: Readonly<Record<string, unknown>>;
  export default known;
}
