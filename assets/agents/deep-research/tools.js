/** Hosts by what they are, and how far that goes; the first that fits counts. */
const KINDS = [
  [
    'standard',
    'high',
    /(^|\.)(w3\.org|ietf\.org|rfc-editor\.org|iso\.org|iec\.ch|ecma-international\.org|whatwg\.org|unicode\.org|itu\.int|oasis-open\.org)$/,
  ],
  [
    'government',
    'high',
    /(^|\.)(gov|mil|int)(\.[a-z]{2})?$|(^|\.)(europa\.eu|admin\.ch|bund\.de|gc\.ca|go\.jp|gouv\.fr)$/,
  ],
  ['preprints, not reviewed', 'medium', /(^|\.)(arxiv\.org|biorxiv\.org|medrxiv\.org|ssrn\.com)$/],
  [
    'scientific',
    'high',
    /(^|\.)(doi\.org|nature\.com|science\.org|sciencedirect\.com|springer\.com|wiley\.com|ieee\.org|acm\.org|plos\.org|cell\.com|thelancet\.com|nejm\.org|jstor\.org|pnas\.org|cochranelibrary\.com)$/,
  ],
  ['university', 'high', /(^|\.)(edu|ac)(\.[a-z]{2})?$/],
  ['encyclopedia', 'medium', /(^|\.)(wikipedia\.org|britannica\.com)$/],
  [
    'news agency or newspaper',
    'medium',
    /(^|\.)(reuters\.com|apnews\.com|afp\.com|bbc\.co\.uk|bbc\.com|theguardian\.com|nytimes\.com|ft\.com|economist\.com|washingtonpost\.com|lemonde\.fr|zeit\.de|nzz\.ch)$/,
  ],
  [
    'documentation',
    'medium',
    /^(docs?|developers?|devdocs|learn|help|support|api|manual|kb)\.|(^|\.)(readthedocs\.(io|org)|docs\.rs|pkg\.go\.dev|developer\.mozilla\.org)$/,
  ],
  [
    'source code',
    'medium',
    /(^|\.)(github\.com|githubusercontent\.com|gitlab\.com|codeberg\.org|sourcehut\.org|bitbucket\.org)$/,
  ],
  [
    'forum, blog, or social network',
    'low',
    /(^|\.)(reddit\.com|quora\.com|stackoverflow\.com|stackexchange\.com|ycombinator\.com|medium\.com|substack\.com|dev\.to|x\.com|twitter\.com|facebook\.com|linkedin\.com|youtube\.com|tiktok\.com|wordpress\.com|blogspot\.com|tumblr\.com)$/,
  ],
];

function classified(address) {
  if (!URL.canParse(address)) return { address, kind: 'no address', trust: 'low' };
  const host = new URL(address).hostname.toLowerCase().replace(/\.$/, '');
  const [kind = 'unknown', trust = 'judge by the page'] = KINDS.find(([, , hosts]) => hosts.test(host)) ?? [];
  return { address, host, kind, trust };
}

/**
 * Says of addresses what kind of publisher their hosts are, and how far that kind can usually be relied on. It opens no page.
 * @typedef {Object} Args
 * @property {string[]} addresses - All of them at once
 * @param {Args} args
 */
exports.classify_sources = function classify_sources({ addresses }) {
  return addresses.slice(0, 200).map(classified);
};
