import { callApi, CallError } from '#web/api/call.ts';
import { createTakeSender } from './takes/take-sender.ts';
import { openTakeStore } from './takes/take-store.ts';
import { recordingAudioSlot } from '../limits.ts';
import { SEND_TAKES_SYNC_TAG } from '#web/offline/background-sync.ts';
import { createCommitTake } from './commit-take.ts';

// The part of the service worker that sends queued recordings, even when no page is open.

type Page = { postMessage(message: string): void };

/**
 * Sends the signed-in user's recordings, and nobody else's. Before that, notifies open pages, which then send
 * too. Only one page or worker sends at a time, so whichever comes second finds nothing left to send.
 * @throws if a recording still waits for a connection or the server, so that the browser tries again later
 */
export async function sendTakesInBackground(
  pages: () => Promise<readonly Page[]>,
  /** Tests pass fakes. */
  given: { call: typeof callApi; openStore: typeof openTakeStore } = {
    call: callApi,
    openStore: openTakeStore,
  },
): Promise<void> {
  for (const page of await pages()) page.postMessage(SEND_TAKES_SYNC_TAG);
  const userId = await fetchSignedInUser(given.call);
  if (userId === null) return;
  const callAs = createCallAsUser(given.call, userId);
  const store = given.openStore();
  const sender = createTakeSender({
    store,
    userId,
    slot: recordingAudioSlot.name,
    commit: createCommitTake(callAs),
    call: callAs,
  });
  try {
    sender.wake();
    await sender.settled();
    const { blockedBy } = sender.get();
    if (blockedBy === 'offline' || blockedBy === 'server') throw new Error(`Not sent: ${blockedBy}`);
  } finally {
    sender.end();
    store.close();
  }
}

async function fetchSignedInUser(ask: typeof callApi): Promise<string | null> {
  try {
    return (await ask('GET /api/user')).id;
  } catch (error) {
    // Returns null if nobody is signed in. A page sends the recordings after the user has signed in.
    if (error instanceof CallError && error.status === 401) return null;
    throw error;
  }
}

/**
 * Returns a `call` that sends the expected user with every request. The server rejects the request if somebody
 * else is signed in.
 */
const createCallAsUser = (make: typeof callApi, expectedUser: string) =>
  ((route: string, options: object) =>
    // Removes `onProgress`, because reporting progress needs XMLHttpRequest, which a service worker lacks.
    (make as (...given: unknown[]) => unknown)(route, {
      ...options,
      onProgress: undefined,
      expectedUser,
    })) as typeof callApi;
