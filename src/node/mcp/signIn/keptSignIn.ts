import { createHash } from 'node:crypto';
import * as z from '../../../base/zod';
import { EngineError, type RemoteLaunch, type SignInStore } from '../../../engine';

/** Tokens are renewed this long before they expire; short-lived ones, later. */
const NEAR_END_MS = 30_000;

const clientSchema = z.object({
  client_id: z.string(),
  client_secret: z.optional(z.string()),
  token_endpoint_auth_method: z.optional(z.string()),
});

const keptSchema = z.object({
  /** The server's URL as launched. */
  url: z.string(),
  /** The authorization server's name for itself. */
  issuer: z.string(),
  /** Where to find the authorization server's metadata. */
  authorizationServer: z.string(),
  /** What the tokens are for, if the server specified it. */
  resource: z.optional(z.string()),
  /** What the user allowed, separated by spaces. */
  scope: z.optional(z.string()),
  client: clientSchema,
  /** The redirect URL the client was registered with. */
  redirectUrl: z.string(),
  /** Absent after they were refused: the user has to sign in again. */
  tokens: z.optional(
    z.object({
      access: z.string(),
      refresh: z.optional(z.string()),
      /** Shortly before expiration, in milliseconds since the epoch. */
      renewAt: z.optional(z.number()),
    }),
  ),
});

/** The stored sign-in of the user to one server. */
export type KeptSignIn = z.infer<typeof keptSchema>;
export type KeptTokens = NonNullable<KeptSignIn['tokens']>;

/** Returns the name a server's sign-in is stored under, which is specific to the server and the client. */
export function signInName({ url, oauth }: RemoteLaunch): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([url, oauth?.clientMetadataUrl ?? oauth?.clientId ?? '']))
    .digest('hex');
  return `${new URL(url).hostname} ${digest.slice(0, 16)}`;
}

/** Reads the sign-in; undefined if there is none. Rejects with EngineError `damaged`, and as the store does. */
export async function readSignIn(store: SignInStore, launch: RemoteLaunch): Promise<KeptSignIn | undefined> {
  const name = signInName(launch);
  const text = await store.get(name);
  if (text === undefined) return undefined;
  const parsed = keptSchema.safeParse(json(text));
  // The name contains only part of the hash, so the URL is compared too.
  if (parsed.success && parsed.data.url === launch.url) {
    hideSecrets(store, parsed.data);
    return parsed.data;
  }
  throw new EngineError('damaged', `The stored sign-in to ${name} is damaged. Sign out, then sign in again.`);
}

export function writeSignIn(store: SignInStore, launch: RemoteLaunch, kept: KeptSignIn): Promise<void> {
  hideSecrets(store, kept);
  return store.set(signInName(launch), JSON.stringify(kept));
}

function hideSecrets(store: SignInStore, { tokens, client }: KeptSignIn): void {
  for (const one of [tokens?.access, tokens?.refresh, client.client_secret]) if (one) store.hide(one);
}

/** Converts the tokens from a token response. */
export function keptTokens({ access_token, refresh_token, expires_in }: TokenAnswer, now: number): KeptTokens {
  return {
    access: access_token,
    ...(refresh_token !== undefined && { refresh: refresh_token }),
    ...(expires_in !== undefined && { renewAt: now + expires_in * 1000 - Math.min(NEAR_END_MS, expires_in * 100) }),
  };
}

interface TokenAnswer {
  access_token: string;
  refresh_token?: string | undefined;
  expires_in?: number | undefined;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
