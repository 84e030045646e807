import { throwIfAborted } from '../../../base/abort';
import { safeLine } from '../../../base/shown/safeText';
import { EngineError, type Fetch, type RemoteLaunch, type SignInPage, type SignInStore } from '../../../engine';
import type * as mcpLibrary from '../mcpLibrary';
import { AwaitedReturn } from './awaitedReturn';
import { guardedFetch, isLoopback, mustBeSafe } from './guardedFetch';
import { type KeptSignIn, readSignIn, signInName, writeSignIn } from './keptSignIn';
import { LoopbackAddress } from './loopbackAddress';
import type { EditorAddress, ReturnAddress } from './returnAddress';
import type { WantedRights } from './signedInFetch';
import { SignInAttempt } from './signInAttempt';

export interface SignInParts {
  launch: RemoteLaunch;
  store: SignInStore;
  fetch: Fetch;
  library: typeof mcpLibrary;
  page: SignInPage;
  editorAddress?: EditorAddress | undefined;
  /** What the server said of it in a call. */
  wanted: WantedRights;
  signal: AbortSignal;
}

/**
 * Has a person sign in to a server in their browser, and keeps the tokens. Rejects with EngineError: `denied` when the person or
 * the server refused or it would not be safe, `io` when something did not answer; and with AbortError.
 */
export async function signIn(parts: SignInParts): Promise<void> {
  const { launch, store, library, editorAddress } = parts;
  const server = new URL(launch.url);
  mustBeSafe(server, server);
  const kept = await readSignIn(store, launch).catch(() => undefined);
  const preferred = await returnAddress(launch, kept, editorAddress);
  try {
    await signInFrom(preferred, kept, parts);
  } catch (error) {
    if (!(error instanceof library.RegistrationRejectedError)) throw error;
    const refusal = `${server.host} does not let Cairn register for signing in (HTTP ${error.status}): ${safeLine(error.body, 300)}`;
    if (!editorAddress || preferred instanceof LoopbackAddress) throw new EngineError('denied', refusal);
    // Many take no address but those of the web and of this machine.
    editorAddress.onRefused(`${refusal} A loopback address is used instead of ${preferred.url}.`);
    await signInFrom(await LoopbackAddress.open(portOf(kept)), kept, parts);
  }
}

/** Ends the address. Rejects as `signIn` does, and with RegistrationRejectedError of the library. */
async function signInFrom(
  address: ReturnAddress,
  kept: KeptSignIn | undefined,
  { launch, store, fetch, library, page, wanted, signal }: SignInParts,
): Promise<void> {
  const server = new URL(launch.url);
  try {
    const fetchFn = guardedFetch(fetch, server, signal);
    const attempt = new SignInAttempt(launch, address.url, kept);
    const asked = await challengeOf(server, fetchFn, library);
    const scope = launch.oauth?.scope ?? wanted.scope ?? asked.scope;
    const resourceMetadataUrl = asked.resourceMetadataUrl ?? wanted.metadata;
    const how = { serverUrl: launch.url, fetchFn, ...(scope !== undefined && { scope }) };
    await library.auth(attempt, { ...how, ...(resourceMetadataUrl && { resourceMetadataUrl }) });
    if (!attempt.address) throw new EngineError('io', `${server.host} does not say where to sign in.`);
    mustBeSafe(attempt.address, server);
    throwIfAborted(signal);
    const awaited = new AwaitedReturn(address, attempt.state(), attempt.issuer);
    const { code, iss } = await sentBack(awaited, page, attempt.address, signal);
    await library.auth(attempt, { ...how, authorizationCode: code, ...(iss !== undefined && { iss }) });
    await store.exclusively(signInName(launch), () => writeSignIn(store, launch, attempt.result()));
  } finally {
    await address.close();
  }
}

async function sentBack(awaited: AwaitedReturn, page: SignInPage, address: URL, signal: AbortSignal) {
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  try {
    const showing = page.show(address, until);
    // Whoever does not want to go there ends it.
    const declined = new Promise<never>((_, reject) => void showing.catch(reject));
    return await Promise.race([awaited.wait(until, showing), declined]);
  } finally {
    over.abort();
  }
}

/**
 * A client that was registered before is sent back to where its registration says. For all others: an address of this machine, since
 * nearly every authorization server takes one, and many refuse those of an editor; but the editor's own where the browser is on another
 * machine than this process, as it would look for a port of this machine on its own.
 */
async function returnAddress(
  { url, oauth }: RemoteLaunch,
  kept: KeptSignIn | undefined,
  editorAddress: EditorAddress | undefined,
): Promise<ReturnAddress> {
  const registered = oauth?.redirectUri;
  if (registered !== undefined) {
    const isHere =
      URL.canParse(registered) && new URL(registered).protocol === 'http:' && isLoopback(new URL(registered));
    const address = isHere ? await LoopbackAddress.at(registered) : await editorAddress?.open(registered);
    if (address) return address;
    const where = safeLine(registered, 200);
    const remedy = 'Register one such as http://127.0.0.1:8912/signed-in, and write it as its redirectUri.';
    throw new EngineError(
      'invalid-input',
      `The client of ${new URL(url).host} is sent back to ${where}, which does not lead back to Cairn. ${remedy}`,
    );
  }
  const isAnybody = !oauth || (oauth.clientId ?? oauth.callbackPort ?? oauth.clientMetadataUrl) === undefined;
  const address = isAnybody ? await editorAddress?.open() : undefined;
  return address ?? LoopbackAddress.open(oauth?.callbackPort ?? portOf(kept));
}

/** The port that the client was registered with last time. */
function portOf(kept: KeptSignIn | undefined): number | undefined {
  return kept && LoopbackAddress.portOf(kept.redirectUrl);
}

/** What the server says when nobody is signed in: the first message of the protocol needs no more than this. */
async function challengeOf(
  server: URL,
  fetchFn: ReturnType<typeof guardedFetch>,
  { extractWWWAuthenticateParams }: typeof mcpLibrary,
): Promise<Partial<ReturnType<typeof extractWWWAuthenticateParams>>> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'cairn', version: '1' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  try {
    const response = await fetchFn(server, { method: 'POST', headers, body });
    return response.status === 401 ? extractWWWAuthenticateParams(response) : {};
  } catch (error) {
    if (EngineError.is(error)) throw error;
    throw new EngineError('io', `${server.host} does not answer.`, { cause: error });
  }
}
