import { call, CallError } from '#web/api/call.ts';
import { createTakeSender } from './takes/take-sender.ts';
import { openTakeStore } from './takes/take-store.ts';
import { recordingAudioSlot } from '../limits.ts';
import { SEND_TAKES } from '#web/offline/background-sync.ts';
import { commitBy } from './commit-take.ts';

// The part of the service worker that sends what waits on the device, with no page open.

type Page = { postMessage(message: string): void };

/**
 * Sends the recordings of whoever is signed in, and of nobody else. An open page is woken first; whoever comes second
 * waits for the other, and finds nothing to send.
 * @throws when something still waits for a connection or the server: the browser tries again later
 */
export async function sendInBackground(
  pages: () => Promise<readonly Page[]>,
  /** Tests bring their own. */
  given: { call: typeof call; openStore: typeof openTakeStore } = { call, openStore: openTakeStore },
): Promise<void> {
  for (const page of await pages()) page.postMessage(SEND_TAKES);
  const userId = await signedIn(given.call);
  if (userId === null) return;
  const callAs = callAsUser(given.call, userId);
  const store = given.openStore();
  const sender = createTakeSender({
    store,
    userId,
    slot: recordingAudioSlot.name,
    commit: commitBy(callAs),
    call: callAs,
  });
  try {
    sender.wake();
    await sender.settled();
    const { hindrance } = sender.get();
    if (hindrance === 'offline' || hindrance === 'server') throw new Error(`Not sent: ${hindrance}`);
  } finally {
    sender.end();
    store.close();
  }
}

async function signedIn(ask: typeof call): Promise<string | null> {
  try {
    return (await ask('GET /api/user')).id;
  } catch (error) {
    // Signed out: what waits is sent from a page, after signing in.
    if (error instanceof CallError && error.status === 401) return null;
    throw error;
  }
}

/** Every call names the user, and the server refuses it once somebody else is signed in. */
const callAsUser = (make: typeof call, expectedUser: string) =>
  ((route: string, options: object) =>
    // Progress is reported by XMLHttpRequest, which a service worker lacks.
    (make as (...given: unknown[]) => unknown)(route, {
      ...options,
      onProgress: undefined,
      expectedUser,
    })) as typeof call;
