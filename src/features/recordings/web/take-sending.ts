import { callApi } from '#web/api/call.ts';
import { handleLostSession } from '#web/api/lost-session.ts';
import { refreshQueries } from '#web/api/query-client.ts';
import {
  createTakeSender,
  type TakeSenderSnapshot,
  IDLE_TAKE_SENDER,
  type TakeSender,
} from './takes/take-sender.ts';
import { getTakeStore } from './takes/use-takes.ts';
import { createStore } from '#web/store.ts';
import { useStore } from '#web/use-store.ts';
import { toast } from '#web/ui/toasts.ts';
import { onReturnOrReconnect } from '#web/uploads/on-return-or-reconnect.ts';
import { recordingAudioSlot } from '../limits.ts';
import {
  registerBackgroundSync,
  SEND_TAKES_SYNC_TAG,
  onSendTakesSync,
} from '#web/offline/background-sync.ts';
import { createCommitTake } from './commit-take.ts';
import { SAFE_UNTIL_SIGN_IN_MESSAGE, SUBMISSION_SUCCEEDED_MESSAGE } from './submission-messages.ts';

// The tab's only sender. Sending continues while the student is on another page of the app.
let sender: { userId: string; sends: TakeSender; end(): void } | null = null;
let leaving: ReturnType<typeof setTimeout> | undefined;
const state = createStore(IDLE_TAKE_SENDER);

/**
 * Sends queued recordings now, and again whenever the device is back online or the student returns to the page.
 */
export function startSendingTakes(userId: string): void {
  clearTimeout(leaving);
  if (sender?.userId !== userId) {
    sender?.end();
    sender = createSender(userId);
  }
  sender.sends.wake();
}

/**
 * Cancels sending a submitted recording that has not arrived.
 * @returns false if it was not cancelled, for example because it may have arrived
 */
export async function cancelSendingTake(userId: string, id: string): Promise<boolean> {
  if (sender?.userId !== userId) return false;
  return sender.sends.cancel(id);
}

/**
 * Stops sending in this tab, unless `startSendingTakes` is called right afterwards. Called when the component
 * that sends unmounts, for example at sign-out. In development, React unmounts and remounts every new
 * component, which would otherwise abort and repeat a call in flight.
 */
export function scheduleStopSendingTakes(): void {
  leaving = setTimeout(stopSendingTakes);
}

/** Stops sending in this tab; queued recordings stay on the device. */
export function stopSendingTakes(): void {
  sender?.end();
  sender = null;
  state.set(IDLE_TAKE_SENDER);
}

/** Returns the state of sending in this tab. */
export const useTakeSenderSnapshot = (): TakeSenderSnapshot => useStore(state);

function createSender(userId: string) {
  const ending = new AbortController();
  const sends = createTakeSender({
    store: getTakeStore(),
    userId,
    slot: recordingAudioSlot.name,
    onSent() {
      refreshQueries(['/api/student/recordings']);
      toast({ title: SUBMISSION_SUCCEEDED_MESSAGE, outlivesPage: true });
    },
    commit: createCommitTake(callApi),
  });
  let before = sends.get();
  state.set(before);
  sends.subscribe(() => {
    const now = sends.get();
    if (now.blockedBy === 'signed-out') handleLostSession(SAFE_UNTIL_SIGN_IN_MESSAGE);
    // Requests a sync only once, because the browser then retries on its own schedule. A request on every
    // attempt would tie that schedule to the retries of this page.
    if (isDisconnected(now) && !isDisconnected(before)) registerBackgroundSync(SEND_TAKES_SYNC_TAG);
    before = now;
    state.set(now);
  });
  onReturnOrReconnect(sends.wake, ending.signal);
  onSendTakesSync(sends.wake, ending.signal);
  // Requests a sync when the page is hidden, because the page may be closed next.
  const requestBackgroundSync = () => {
    const now = sends.get();
    if (document.visibilityState === 'hidden' && (now.id !== null || isDisconnected(now)))
      registerBackgroundSync(SEND_TAKES_SYNC_TAG);
  };
  document.addEventListener('visibilitychange', requestBackgroundSync, { signal: ending.signal });
  const end = () => {
    ending.abort();
    sends.end();
  };
  return { userId, sends, end };
}

const isDisconnected = ({ blockedBy }: TakeSenderSnapshot) =>
  blockedBy === 'offline' || blockedBy === 'server';
