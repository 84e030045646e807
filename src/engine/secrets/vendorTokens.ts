/** Prefixes that only keys and tokens have, as patterns. */
const UNMISTAKABLE = [
  ...['gh[oprsu]_', 'github_pat_', 'gl(?:pat|dt|rt|ptt|ft|soat|cbt|agent)-', 'xox[a-z]-', 'xapp-', 'whsec_'],
  ...['[rs]k_(?:live|test)_', 'dckr_pat_', 'GOCSPX-', 'do[opr]_v1_', 'shp(?:at|ss|ca|pa)_', 'sq0[a-z]{3}-'],
  ...['hv[bs]\\.', 'sntry[su]_', 'NRAK-', 'PMAK-', 'AGE-SECRET-KEY-', 'dapi[0-9a-f]{32}'],
];

/** Prefixes with which a name or a word could also begin, as patterns. */
const WORDLIKE = [
  ...[
    'sk-',
    'AKIA',
    'ASIA[A-Z0-9]{4}',
    'AIza',
    'ya29\\.',
    'npm_(?=[A-Za-z0-9]{20})',
    'pypi-',
    'rubygems_',
    'gsk_',
    'hf_',
  ],
  ...['xai-', 'pplx-', 'nvapi-', 'tvly-', 'r8_', 'csk-', 'lin_api_', 'figd_', 'ntn_', 'sbp_', 'ATATT3', 'phx_'],
  ...['eyJ[\\w-]+\\.eyJ', '\\d{8,10}:AA[\\w-]{30}'],
];

/** Patterns for the first characters of keys and tokens of well-known vendors. */
export const TOKEN_BEGINNINGS: readonly string[] = [...UNMISTAKABLE, ...WORDLIKE];

/** Returns a pattern for whole keys and tokens of well-known vendors in running text. */
export function tokensIn(): RegExp {
  return new RegExp(`(?<![\\w-])(?:${TOKEN_BEGINNINGS.join('|')})[\\w.~+/-]{12,}=*|(?<=Bearer )[\\w.~+/-]{16,}=*`, 'g');
}

/** Patterns for the same in text that may also name files and branches; the first group is empty. */
export const LIKELY_TOKENS: readonly RegExp[] = [
  new RegExp(`()\\b(?:${UNMISTAKABLE.join('|')})[\\w-]{10,}`, 'g'),
  new RegExp(`()(?<![\\w-])(?:${WORDLIKE.join('|')})(?=[\\w-]*\\d)[\\w-]{12,}`, 'g'),
];
