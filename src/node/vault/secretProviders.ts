import * as z from '../../base/zod';

const SAID = 'must not be empty, nor a placeholder';
const text = z.string().check(z.regex(/^(?!.*\{\{)\S/, SAID));
const maybe = z.nullish(text);

const TYPES = 'local, aws_secrets_manager, gcp_secret_manager, azure_key_vault, gopass, or one_password';
const options = [
  z.strictObject({ type: z.literal('local'), password_file: maybe }),
  z.strictObject({ type: z.literal('aws_secrets_manager'), aws_profile: maybe, aws_region: maybe }),
  z.strictObject({ type: z.literal('gcp_secret_manager'), gcp_project_id: maybe }),
  z.strictObject({ type: z.literal('azure_key_vault'), vault_name: text }),
  z.strictObject({ type: z.literal('gopass'), store: maybe }),
  z.strictObject({ type: z.literal('one_password'), vault: maybe, account: maybe }),
] as const;

/** Schema of `secrets_provider` in `config.yaml`, in Coyote's format. */
export const secretsProvider = z.discriminatedUnion('type', options, {
  error: ({ input }) => (typeof input === 'object' ? `must be ${TYPES}` : undefined),
});

type SecretsProvider = z.infer<typeof secretsProvider>;
export type ProgramProvider = Exclude<SecretsProvider, { type: 'local' }>;

/** How to ask a provider's program for a secret. */
export interface ProviderCall {
  program: string;
  args: readonly string[];
  /** How the output contains the value: as is, as a JSON string, or as the `value` of an object. */
  answer: 'text' | 'json' | 'field';
  /** The program's message when there is no such secret. */
  absent: RegExp;
  /** The program's message when the user is not signed in. */
  signedOut: RegExp;
  /** The command to sign in. */
  signIn: string;
}

/** Returns the call for a secret by name. Values are attached to their options with `=`, so that none can be taken for an option. */
export function providerCall(provider: ProgramProvider, name: string): ProviderCall {
  switch (provider.type) {
    case 'aws_secrets_manager':
      return awsCall(provider, name);
    case 'gcp_secret_manager':
      return {
        program: 'gcloud',
        args: [
          ...['secrets', 'versions', 'access', 'latest', `--secret=${name}`, '--quiet'],
          ...option('--project', provider.gcp_project_id),
        ],
        answer: 'text',
        absent: /NOT_FOUND/,
        signedOut: /UNAUTHENTICATED|gcloud auth|Reauthentication|active account/i,
        signIn: 'gcloud auth login',
      };
    case 'azure_key_vault':
      return {
        program: 'az',
        args: [
          ...['keyvault', 'secret', 'show', `--vault-name=${provider.vault_name}`, `--name=${name}`],
          ...['--query=value', '--output=json'],
        ],
        answer: 'json',
        absent: /SecretNotFound/,
        signedOut: /az login|AADSTS\d+/,
        signIn: 'az login',
      };
    case 'gopass':
      return {
        program: 'gopass',
        args: ['show', '--password', '--', provider.store ? `${provider.store}/${name}` : name],
        answer: 'text',
        absent: /not found|not in the password store/i,
        signedOut: /decryption failed|not initialized|no secret key|pinentry/i,
        signIn: 'gopass setup',
      };
    case 'one_password':
      return onePasswordCall(provider, name);
  }
}

function awsCall(provider: Extract<ProgramProvider, { type: 'aws_secrets_manager' }>, name: string): ProviderCall {
  const where = [...option('--profile', provider.aws_profile), ...option('--region', provider.aws_region)];
  return {
    program: 'aws',
    args: [
      'secretsmanager',
      'get-secret-value',
      `--secret-id=${name}`,
      '--query=SecretString',
      '--output=json',
      ...where,
    ],
    answer: 'json',
    absent: /ResourceNotFoundException/,
    signedOut:
      /Unable to locate credentials|ExpiredToken|UnrecognizedClient|InvalidClientTokenId|SSO|Token .*(?:expired|does not exist)/i,
    signIn: ['aws sso login', ...option('--profile', provider.aws_profile)].join(' '),
  };
}

function onePasswordCall(provider: Extract<ProgramProvider, { type: 'one_password' }>, name: string): ProviderCall {
  return {
    program: 'op',
    args: [
      ...['item', 'get', name, '--fields=label=password', '--reveal', '--format=json'],
      ...option('--vault', provider.vault),
      ...option('--account', provider.account),
    ],
    answer: 'field',
    absent: /isn['’]t an item|isn['’]t a field|no item (?:found|matching)/i,
    signedOut: /not (?:currently )?signed in|op signin|session expired|no account found/i,
    signIn: 'op signin',
  };
}

function option(name: string, value: string | null | undefined): string[] {
  return value ? [`${name}=${value}`] : [];
}
