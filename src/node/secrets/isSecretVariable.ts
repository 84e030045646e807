const SECRET_NAME =
  /KEY|TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|PRIVATE|_PASS$|_PWD$|_AUTH$|^AUTH_|_AUTH_(?!SOCK)|COOKIE|JWT|WEBHOOK/i;

/** How keys and tokens of well-known makers begin. */
const BEGINNINGS = [
  ...[
    'sk-',
    '[sr]k_(?:live|test)_',
    'whsec_',
    'gh[oprsu]_',
    'github_pat_',
    'gl(?:pat|dt|rt|ptt|ft|soat|cbt|agent)-',
    'xox[a-z]-',
    'xapp-',
  ],
  ...[
    'AKIA',
    'ASIA[A-Z0-9]{4}',
    'AIza',
    'ya29\\.',
    'GOCSPX-',
    'npm_[A-Za-z0-9]{20}',
    'pypi-',
    'rubygems_',
    'dckr_pat_',
  ],
  ...[
    'SG\\.',
    'gsk_',
    'hf_',
    'xai-',
    'pplx-',
    'nvapi-',
    'tvly-',
    'r8_',
    'csk-',
    'lin_api_',
    'figd_',
    'ntn_',
    'secret_',
  ],
  ...['do[opr]_v1_', 'shp(?:at|ss|ca|pa)_', 'sq0[a-z]{3}-', 'dapi[0-9a-f]{32}', 'hv[sb]\\.', 'sbp_', 'sntry[su]_'],
  ...['ATATT3', 'NRAK-', 'PMAK-', 'phx_', 'AGE-SECRET-KEY-', 'eyJ[\\w-]+\\.eyJ', '\\d{8,10}:AA[\\w-]{30}', 'Bearer '],
];

/** Private keys, addresses that hold a password or are one, and keys in connection strings. */
const PARTS = [
  ...['-----BEGIN ', '://[^/\\s:@]*:[^/\\s@]+@', '://[^/\\s:@]{20,}@', 'api\\.telegram\\.org/bot\\d'],
  ...['hooks\\.slack\\.com/', 'discord(?:app)?\\.com/api/webhooks', 'hooks\\.zapier\\.com/', 'maker\\.ifttt\\.com/'],
  ...['webhook\\.office\\.com/', 'outlook\\.office(?:365)?\\.com/webhook', 'logic\\.azure\\.com.*[?&]sig='],
  ...['(?:AccountKey|SharedAccessKey|SharedAccessSignature|[Pp]assword|[Pp]wd|PWD|ClientSecret)\\s*=\\s*[^;\\s]'],
  ...['[?&](?:key|api_?key|token|access_token|sig|signature|secret|X-Amz-Signature)=[^&\\s]{8}'],
];

const SECRET_VALUE = new RegExp(`^(?:${BEGINNINGS.join('|')})|${PARTS.join('|')}`);

/** True for what looks like a secret, by its name or by its value. */
export function isSecretVariable(name: string, value: string): boolean {
  return SECRET_NAME.test(name) || SECRET_VALUE.test(value);
}
