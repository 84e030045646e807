import { createHash } from 'node:crypto';
import * as z from '../../../base/zod';
import { EngineError, type RemoteLaunch, type SignInStore } from '../../../engine';

/** A token this near to its end is renewed before it is sent; one that lives for a moment only, later. */
const NEAR_END_MS = 30_000;

const clientSchema = z.object({
  client_id: z.string(),
  client_secret: z.optional(z.string()),
  token_endpoint_auth_method: z.optional(z.string()),
});

const keptSchema = z.object({
  /** The server, as its launch is carried out. */
  url: z.string(),
  /** The authorization server, as it calls itself. */
  issuer: z.string(),
  /** Under which its metadata are found. */
  authorizationServer: z.string(),
  /** What the tokens are for, where the server said so. */
  resource: z.optional(z.string()),
  client: clientSchema,
  /** To which the client was registered to be sent back. */
  redirectUrl: z.string(),
  /** Absent once they were refused: the person has to sign in again. */
  tokens: z.optional(
    z.object({
      access: z.string(),
      refresh: z.optional(z.string()),
      /** A little before it ends, in milliseconds since the epoch. */
      renewAt: z.optional(z.number()),
    }),
  ),
});

/** What is kept of a person's sign-in to one server. */
export type KeptSignIn = z.infer<typeof keptSchema>;
export type KeptTokens = NonNullable<KeptSignIn['tokens']>;

/** Under which name a server's sign-in is kept: of another server, or as another client, it is another one. */
export function signInName({ url, oauth }: RemoteLaunch): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([url, oauth?.clientMetadataUrl ?? oauth?.clientId ?? '']))
    .digest('hex');
  return `${new URL(url).hostname} ${digest.slice(0, 16)}`;
}

/** Undefined when there is none. Rejects with EngineError `damaged`, and as the store does. */
export async function readSignIn(store: SignInStore, launch: RemoteLaunch): Promise<KeptSignIn | undefined> {
  const name = signInName(launch);
  const text = await store.get(name);
  if (text === undefined) return undefined;
  const parsed = keptSchema.safeParse(json(text));
  // The name is made of a part of the digest.
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

/** As a vendor's answer has them. */
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
