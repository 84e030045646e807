const GAP = / {41,}|[\t\p{Zs}\u2800]{61,}/gu;

/** Long runs of blanks within a line, which would push what follows out of sight. */
export function closeGaps(line: string): string {
  return line.replace(GAP, (blanks) => `⟨+${blanks.length} blanks⟩`);
}
