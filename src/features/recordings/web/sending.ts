import { call } from '#web/api/call.ts';
import { loseSession } from '#web/api/lost-session.ts';
import { refresh } from '#web/api/query-client.ts';
import { createTakeSender, type SenderSnapshot, STILL, type TakeSender } from './takes/take-sender.ts';
import { takeStore } from './takes/use-takes.ts';
import { createStore } from '#web/store.ts';
import { useStore } from '#web/use-store.ts';
import { toast } from '#web/ui/toasts.ts';
import { whenBack } from '#web/uploads/when-back.ts';
import { recordingAudioSlot } from '../limits.ts';
import { askForSync, SEND_TAKES, whenSynced } from '#web/offline/background-sync.ts';
import { commitBy } from './commit-take.ts';
import { SAFE_UNTIL_SIGNED_IN, SUBMITTED } from './submission-messages.ts';

// One per tab, shared by all callers: sending continues while the student is on another page.
let sender: { userId: string; sends: TakeSender; end(): void } | null = null;
let leaving: ReturnType<typeof setTimeout> | undefined;
const state = createStore(STILL);

/** Sends queued recordings, now and whenever the connection or the student comes back. */
export function sendWaiting(userId: string): void {
  clearTimeout(leaving);
  if (sender?.userId !== userId) {
    sender?.end();
    sender = begin(userId);
  }
  sender.sends.wake();
}

/**
 * Takes back a recording that was submitted but has not arrived.
 * @returns false if it is too late
 */
export async function cancelSending(userId: string, id: string): Promise<boolean> {
  if (sender?.userId !== userId) return false;
  return sender.sends.cancel(id);
}

/**
 * Stops sending in this tab when the sending part of the app unmounts, for example at sign-out, unless it mounts
 * again at once. In development, React unmounts and remounts what it has just shown, which would abort and repeat a
 * call in flight.
 */
export function leaveSending(): void {
  leaving = setTimeout(stopSending);
}

/** Stops sending in this tab; queued recordings stay on the device. */
export function stopSending(): void {
  sender?.end();
  sender = null;
  state.set(STILL);
}

/** Returns the state of sending in this tab. */
export const useSending = (): SenderSnapshot => useStore(state);

function begin(userId: string) {
  const ending = new AbortController();
  const sends = createTakeSender({
    store: takeStore(),
    userId,
    slot: recordingAudioSlot.name,
    onSent() {
      refresh(['/api/student/recordings']);
      toast({ title: SUBMITTED, outlivesPage: true });
    },
    commit: commitBy(call),
  });
  let before = sends.get();
  state.set(before);
  sends.subscribe(() => {
    const now = sends.get();
    if (now.hindrance === 'signed-out') loseSession(SAFE_UNTIL_SIGNED_IN);
    // Ask only once, because the browser then retries on its own. Asked on every try, it would try no more often than
    // this page.
    if (isCutOff(now) && !isCutOff(before)) askForSync(SEND_TAKES);
    before = now;
    state.set(now);
  });
  whenBack(sends.wake, ending.signal);
  whenSynced(sends.wake, ending.signal);
  // The page may be closed next.
  const goOnWithoutPage = () => {
    const now = sends.get();
    if (document.visibilityState === 'hidden' && (now.id !== null || isCutOff(now))) askForSync(SEND_TAKES);
  };
  document.addEventListener('visibilitychange', goOnWithoutPage, { signal: ending.signal });
  const end = () => {
    ending.abort();
    sends.end();
  };
  return { userId, sends, end };
}

const isCutOff = ({ hindrance }: SenderSnapshot) => hindrance === 'offline' || hindrance === 'server';
