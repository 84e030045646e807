/** A line that is longer is passed over. Characters. */
const LONGEST = 1_000_000;

/** Takes text in pieces and gives it line by line to `take`, until that says false; then it says false too. */
export function linesOf(take: (line: string) => boolean): (chunk: string) => boolean {
  let rest = '';
  let isTooLong = false;
  return (chunk) => {
    const [first = '', ...more] = chunk.split('\n');
    rest += first;
    for (const next of more) {
      if (!isTooLong && rest !== '' && !take(rest)) return false;
      isTooLong = false;
      rest = next;
    }
    if (rest.length > LONGEST) {
      isTooLong = true;
      rest = '';
    }
    return true;
  };
}
