import type { UploadSlot } from '../../contract/media.ts';
import { createScope } from '../scope.ts';
import { call as callApi, CallError } from '../call.ts';
import { confirmed } from '../uploads/confirmed.ts';
import { type AskedToWait, hindranceOf, isFinal, waitAskedBy } from '../uploads/failed-try.ts';
import { createRetrySchedule } from '../uploads/retry-schedule.ts';
import { createUploadConnection } from '../uploads/upload-connection.ts';
import { createUploader } from '../uploads/uploader.ts';
import type { StoredRecording, Sending } from './stored-recording.ts';
import { aloneAt } from './take-locks.ts';
import { TakeStoreError, type TakeStore } from './take-store.ts';

/** Makes the end out of a file that has arrived, and resolves with the server's answer. */
export type Commit = (take: StoredRecording & { sending: Sending }, signal: AbortSignal) => Promise<unknown>;

/** The device's storage has its own failures. */
const causeOf = (error: unknown) => (error instanceof TakeStoreError ? 'device' : hindranceOf(error));

/** How sending goes: `id` null means that nothing is on its way right now. */
export type SenderSnapshot = {
  readonly id: string | null;
  /** 0 to 1 of the one that is on its way. */
  readonly fraction: number;
  /**
   * Why the last try did not get through; null while it goes well. 'device': its storage cannot be read. 'fault': the
   * program broke, on this device. 'asked-to-wait': the server has said why it does not take it now.
   */
  readonly hindrance: null | 'offline' | 'server' | 'asked-to-wait' | 'signed-out' | 'device' | 'fault';
  /** With 'asked-to-wait', and null else. */
  readonly wait: AskedToWait | null;
};

export type TakeSender = {
  subscribe(listener: () => void): () => void;
  getSnapshot(): SenderSnapshot;
  /** Sends what is queued, now: no wait goes on, and a call that has stood still is made anew. */
  wake(): void;
  /**
   * Takes one back that is queued, in this tab or in another one: it is 'recorded' again, and stays on the device.
   * @returns false when it is no longer queued, or may have arrived: the student must not take a recording that was
   * sent for one that was not
   */
  cancel(id: string): Promise<boolean>;
  end(): void;
};

export const STILL: SenderSnapshot = { id: null, fraction: 0, hindrance: null, wait: null };

/**
 * Brings one person's queued takes to the server, one tab at a time, oldest first. It tries when told to, and again
 * after waits that grow as long as nothing arrives. The local copy goes only after the server has confirmed the
 * recording; whatever ends this in between, the next try goes on where it stopped.
 */
export function createTakeSender(options: {
  store: TakeStore;
  userId: string;
  /** What the takes are for. */
  slot: UploadSlot['name'];
  commit: Commit;
  /** A take has been confirmed and is no longer on the device. */
  onSent?: (take: StoredRecording) => void;
  /** Tests bring their own. */
  call?: typeof callApi;
  random?: () => number;
}): TakeSender {
  const { store, userId, slot, commit, onSent, call = callApi, random = Math.random } = options;
  const scope = createScope();
  const listeners = new Set<() => void>();
  const ending = new AbortController();
  let snapshot = STILL;
  /** Ends the sending of one take: it was taken back, or this sender ends. */
  let turn: AbortController | null = null;
  scope.own(() => {
    ending.abort();
    turn?.abort();
  });
  /** What the server is being asked to make a recording of; that cannot be taken back any more. */
  let arriving: string | null = null;
  const connection = createUploadConnection();
  const schedule = createRetrySchedule(random);
  const uploader = createUploader({ connection, call });
  /** Whether the server has answered in this try. */
  let isAnswered = false;
  /** How much of which take is known to have arrived. */
  let known = { id: '', fraction: 0 };
  let isRunning = false;
  let isWanted = false;
  let isFaultTold = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  scope.own(() => clearTimeout(timer));

  function show(part: Partial<SenderSnapshot>) {
    snapshot = { ...snapshot, ...part };
    for (const listener of [...listeners]) listener();
  }

  function wake() {
    if (scope.ended) return;
    clearTimeout(timer);
    isWanted = true;
    connection.shortenStallTimeout();
    if (!isRunning) void run();
  }

  async function run() {
    isRunning = true;
    while (isWanted && !scope.ended) {
      isWanted = false;
      try {
        await aloneAt(`send takes of ${userId}`, ending.signal, sendAll);
      } catch (error) {
        if (!scope.ended) tryLater(error);
      }
      show({ id: null, fraction: 0 });
    }
    isRunning = false;
  }

  async function sendAll() {
    // What the program breaks on waits for the next try, and lets the others go.
    const broken = new Set<string>();
    for (;;) {
      const queued = await queuedTakes();
      const next = queued?.find(({ id }) => !broken.has(id));
      if (!next || scope.ended) break;
      turn = new AbortController();
      show({ id: next.id, fraction: 0 });
      try {
        await send(next as StoredRecording & { sending: Sending });
        if (broken.size > 0) continue;
        schedule.reset();
        show({ hindrance: null, wait: null });
      } catch (error) {
        if (turn.signal.aborted && !scope.ended) await forgetUpload(next.id);
        if (scope.ended || turn.signal.aborted || (await isSettledBy(error, next))) continue;
        tryLater(error);
        if (causeOf(error) !== 'fault') break;
        broken.add(next.id);
      } finally {
        turn = null;
      }
    }
  }

  async function queuedTakes() {
    try {
      return (await store.listOf(userId)).filter(({ state }) => state === 'queued');
    } catch (error) {
      tryLater(error);
      return null;
    }
  }

  /** Taken back or discarded, here or in another tab: what is on its way of it stops. */
  async function stopIfTakenBack() {
    const [sending, id] = [turn, snapshot.id];
    if (!sending || id === null) return;
    try {
      const take = await store.get(id);
      if (take?.state !== 'queued' && arriving !== id) sending.abort();
    } catch {
      // A device that cannot say so has not taken it back.
    }
  }
  scope.own(store.subscribe(() => void stopIfTakenBack()));

  /** What no further try would change. */
  async function isSettledBy(error: unknown, take: StoredRecording): Promise<boolean> {
    // A refusal without the server's own words comes from something in between.
    if (!(error instanceof CallError) || !isFinal(error.status) || error.serverMessage === null) return false;
    const refused = { state: 'refused', refusal: error.serverMessage, mayHaveArrived: false } as const;
    await store.change(take.id, refused, ['queued']);
    await forgetUpload(take.id);
    return true;
  }

  const forgetUpload = (clientId: string) =>
    connection
      .withStallTimeout(ending.signal, (signal) =>
        call('DELETE /api/uploads/{clientId}', { params: { clientId }, signal }),
      )
      .catch(() => undefined);

  function tryLater(error: unknown) {
    const wait = waitAskedBy(error);
    const hindrance = wait ? 'asked-to-wait' : causeOf(error);
    show({ hindrance, wait });
    if (hindrance === 'fault') tellFault(error);
    // Who has to sign in first comes back by a new page.
    if (hindrance === 'signed-out') return;
    clearTimeout(timer);
    timer = setTimeout(wake, schedule.after(error, isAnswered));
  }

  /** Once: it is tried again and again. */
  function tellFault(error: unknown) {
    if (isFaultTold) return;
    isFaultTold = true;
    // The only trace of it for whoever looks into it on that device.
    // eslint-disable-next-line no-console
    console.error('A recording could not be sent:', error);
  }

  async function send(take: StoredRecording & { sending: Sending }) {
    isAnswered = false;
    await uploader.deliver({
      // It may have arrived, and only the confirmation been lost.
      mayHaveArrived: take.mayHaveArrived,
      onMissing: () => store.change(take.id, { mayHaveArrived: false }, ['queued']),
      files: async () => {
        const blob = await store.blobOf(take);
        if (!blob)
          throw new CallError(400, JSON.stringify({ message: 'Its sound is missing on this device.' }));
        return [{ uploadId: take.id, blob, slot }];
      },
      onProgress: (fraction) => noteArrived(take.id, fraction),
      onComplete: () => arrive(take),
      signal: stopping(),
    });
    await store.remove(take.id, 'sent');
    onSent?.(take);
  }

  async function arrive(take: StoredRecording & { sending: Sending }) {
    arriving = take.id;
    try {
      const isMarked = await store.change(take.id, { mayHaveArrived: true }, ['queued']);
      // One that the device has forgotten meanwhile was not taken back, and is sent all the same.
      if (!isMarked && (await store.get(take.id))) turn?.abort();
      if (turn?.signal.aborted) throw turn.signal.reason;
      confirmed(await connection.withStallTimeout(stopping(), (signal) => commit(take, signal)));
    } finally {
      arriving = null;
    }
  }

  function noteArrived(id: string, fraction: number) {
    // Also what a try before has brought without hearing of it.
    if (fraction > (known.id === id ? known.fraction : 0)) schedule.reset();
    known = { id, fraction };
    isAnswered = true;
    show({ fraction });
  }

  const stopping = () => (turn ?? ending).signal;

  async function cancel(id: string): Promise<boolean> {
    if (arriving === id) return false;
    return store.change(
      id,
      { state: 'recorded', refusal: null },
      ({ state, mayHaveArrived }) => (state === 'queued' || state === 'refused') && !mayHaveArrived,
    );
  }

  scope.own(() => listeners.clear());

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getSnapshot: () => snapshot,
    wake,
    cancel,
    end: () => scope.end(),
  };
}
