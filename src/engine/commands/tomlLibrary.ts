/** The used part of the library, loaded with the first file that needs it. */
export { parse, TomlError } from 'smol-toml';
