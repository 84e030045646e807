/**
 * What stands before a command that must not do everything. Root opens every file as long as it has these capabilities; everyone
 * else needs nothing.
 */
export const powerless: readonly string[] =
  process.geteuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--'] : [];
