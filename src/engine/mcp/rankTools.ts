/** A searchable document: an item and the text it is found by. */
interface Ranked<T> {
  item: T;
  text: string;
}

const K1 = 1.2;
const B = 0.75;

/** Ranks by Okapi BM25, best first. Documents that share no word with the query are omitted. */
export function rankTools<T>(query: string, documents: readonly Ranked<T>[]): T[] {
  const wanted = new Set(wordsOf(query));
  const counted = documents.map(({ item, text }) => ({ item, words: wordsOf(text) }));
  const average = counted.reduce((sum, { words }) => sum + words.length, 0) / Math.max(1, counted.length);
  const holding = new Map<string, number>();
  for (const { words } of counted) {
    for (const word of new Set(words)) holding.set(word, (holding.get(word) ?? 0) + 1);
  }
  const scoreOf = (words: readonly string[]) => {
    let score = 0;
    for (const word of wanted) {
      const count = words.filter((one) => one === word).length;
      const within = holding.get(word) ?? 0;
      const rare = Math.log(1 + (counted.length - within + 0.5) / (within + 0.5));
      score += (rare * count * (K1 + 1)) / (count + K1 * (1 - B + (B * words.length) / average));
    }
    return score;
  };
  return counted
    .map(({ item, words }) => ({ item, score: scoreOf(words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ item }) => item);
}

/** Splits into lowercase words, `getIssue_list` into get, issue, and list. Plurals and other endings are stripped. */
function wordsOf(text: string): string[] {
  const parts = text
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return (parts ?? []).map((word) => (word.length > 3 ? word.replace(/(?:ies|es|s|ing|ed|e|y)$/, '') : word));
}
