/** Prefix for a command that must not bypass file permissions. Root needs these capabilities removed; other users need no prefix. */
export const powerless: readonly string[] =
  process.geteuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--'] : [];
