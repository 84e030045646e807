/** What is taken of the library, which is loaded with the first file that needs it. */
export { parse, TomlError } from 'smol-toml';
