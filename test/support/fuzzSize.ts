/** How many of the random cases to try: a tenth by default, all of them with `npm run fuzz`. */
export function fuzzSize(full: number): number {
  return process.env['CAIRN_FUZZ'] === 'full' ? full : Math.ceil(full / 10);
}
