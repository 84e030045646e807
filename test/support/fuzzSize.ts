/** Of so many random cases, how many are tried: a tenth for each change, and all of them by `npm run fuzz`. */
export function fuzzSize(full: number): number {
  return process.env['CAIRN_FUZZ'] === 'full' ? full : Math.ceil(full / 10);
}
