/** Kinds of publishers, how far each can usually be relied on, and the domains of them. The first that fits counts. */
const KINDS = [
  [
    'standard',
    'high',
    'w3.org ietf.org rfc-editor.org iso.org iec.ch ecma-international.org whatwg.org unicode.org itu.int',
  ],
  ['government', 'high', 'gov gov.* mil int europa.eu admin.ch bund.de gc.ca go.jp gouv.fr'],
  ['preprints, not reviewed', 'medium', 'arxiv.org biorxiv.org medrxiv.org ssrn.com'],
  [
    'scientific',
    'high',
    'doi.org nature.com science.org sciencedirect.com springer.com wiley.com ieee.org acm.org plos.org cell.com thelancet.com nejm.org jstor.org pnas.org cochranelibrary.com',
  ],
  ['university', 'high', 'edu edu.* ac.*'],
  ['encyclopedia', 'medium', 'wikipedia.org britannica.com'],
  [
    'news agency or newspaper',
    'medium',
    'reuters.com apnews.com afp.com bbc.co.uk bbc.com theguardian.com nytimes.com ft.com economist.com washingtonpost.com lemonde.fr zeit.de nzz.ch',
  ],
  ['documentation', 'medium', 'readthedocs.io readthedocs.org docs.rs pkg.go.dev developer.mozilla.org'],
  ['source code', 'medium', 'github.com githubusercontent.com gitlab.com codeberg.org bitbucket.org sr.ht'],
  [
    'forum, blog, or social network',
    'low',
    'reddit.com quora.com stackoverflow.com stackexchange.com ycombinator.com medium.com substack.com dev.to x.com twitter.com facebook.com linkedin.com youtube.com tiktok.com wordpress.com blogspot.com tumblr.com',
  ],
].map(([kind, trust, domains]) => ({ kind, trust, domains: domains.split(' ') }));

/** `gov.*`: of any country. */
const isOf = (host, domain) =>
  domain.endsWith('.*')
    ? isOf(host.replace(/\.[a-z]{2}$/, ''), domain.slice(0, -2)) && /\.[a-z]{2}$/.test(host)
    : host === domain || host.endsWith(`.${domain}`);

function classified(address) {
  if (!URL.canParse(address)) return { address, kind: 'no address', trust: 'low' };
  const host = new URL(address).hostname.toLowerCase().replace(/\.$/, '');
  const known = KINDS.find(({ domains }) => domains.some((domain) => isOf(host, domain)));
  return { address, host, kind: known?.kind ?? 'unknown', trust: known?.trust ?? 'judge by the page' };
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
