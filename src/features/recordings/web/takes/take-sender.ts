import type { UploadSlot } from '#shared/media.ts';
import { createResourceScope } from '#web/api/resource-scope.ts';
import { createStore, type ReadableStore } from '#web/store.ts';
import { callApi, CallError } from '#web/api/call.ts';
import { assertCreated } from '#web/uploads/assert-created.ts';
import {
  type RequestedWait,
  classifyUploadFailure,
  isPermanentFailureStatus,
  getRequestedWait,
} from '#web/uploads/upload-failures.ts';
import { createRetrySchedule } from '#web/uploads/retry-schedule.ts';
import { createUploadConnection } from '#web/uploads/upload-connection.ts';
import { createUploader } from '#web/uploads/uploader.ts';
import {
  type InspectionProgress,
  mayInspectionTakeLong,
  withInspectionPolling,
} from '#web/uploads/with-inspection-polling.ts';
import type { StoredRecording, SubmissionFields } from '#web/audio/stored-recording.ts';
import { runExclusively } from './take-locks.ts';
import { TakeStoreError, type TakeStore } from './take-store.ts';

/** Turns a take whose file has arrived into a recording, and resolves with the server's response. */
export type CommitTake = (
  take: StoredRecording & { sending: SubmissionFields },
  signal: AbortSignal,
) => Promise<unknown>;

/** Classifies an error like {@link classifyUploadFailure}, and failures of the device's storage as 'device'. */
const classifySendFailure = (error: unknown) =>
  error instanceof TakeStoreError ? 'device' : classifyUploadFailure(error);

/** The take being sent, its progress, and what blocks sending. `id` is null while nothing is being sent. */
export type TakeSenderSnapshot = {
  readonly id: string | null;
  /** Fraction of the current take that has arrived, from 0 to 1. */
  readonly fraction: number;
  /** The server's progress in inspecting a take that has arrived. Null if the server does not report it. */
  readonly inspectionProgress: InspectionProgress;
  /**
   * Why the last attempt failed, or null if it did not fail. 'device': the device's storage failed. 'fault':
   * a bug in this program. 'asked-to-wait': the server can't accept the take now and has given the reason.
   */
  readonly blockedBy: null | 'offline' | 'server' | 'asked-to-wait' | 'signed-out' | 'device' | 'fault';
  /** Null unless `blockedBy` is 'asked-to-wait'. */
  readonly wait: RequestedWait | null;
};

export type TakeSender = ReadableStore<TakeSenderSnapshot> & {
  /** Sends queued takes now: ends any wait, and retries stalled calls sooner. */
  wake(): void;
  /** Resolves when nothing is being sent: either everything has been sent, or the last attempt has failed. */
  settled(): Promise<void>;
  /**
   * Cancels a queued or rejected take, even if another tab is sending it. The take becomes 'recorded' again
   * and stays on the device.
   * @returns false if the take is in another state or may have arrived, because the student must not mistake
   * a sent recording for an unsent one
   */
  cancel(id: string): Promise<boolean>;
  end(): void;
};

export const IDLE_TAKE_SENDER: TakeSenderSnapshot = {
  id: null,
  fraction: 0,
  inspectionProgress: null,
  blockedBy: null,
  wait: null,
};

/**
 * Creates a sender for one user's queued takes. It sends them oldest first, and only one tab sends at a time.
 * It starts when woken or when a take is queued, and retries with a backoff that is reset when audio arrives.
 * A take is removed from the device only after the server has confirmed the recording. If an upload is
 * interrupted, the next attempt resumes it.
 */
export function createTakeSender(options: {
  store: TakeStore;
  userId: string;
  slot: UploadSlot['name'];
  commit: CommitTake;
  /** Called when a take has been confirmed and removed from the device. */
  onSent?: (take: StoredRecording) => void;
  /** Tests pass a fake. */
  call?: typeof callApi;
  random?: () => number;
}): TakeSender {
  const { store, userId, slot, commit, onSent, call = callApi, random = Math.random } = options;
  const scope = createResourceScope();
  const snapshot = createStore(IDLE_TAKE_SENDER);
  const ending = new AbortController();
  /** Aborts sending the current take when it is cancelled or this sender ends. */
  let turn: AbortController | null = null;
  scope.own(() => {
    ending.abort();
    turn?.abort();
  });
  /** Id of the take that the server is turning into a recording, which can no longer be cancelled. */
  let arriving: string | null = null;
  const connection = createUploadConnection();
  const schedule = createRetrySchedule(random);
  const uploader = createUploader({ connection, call });
  /** Whether the server has responded in this attempt. */
  let isAnswered = false;
  /** The take whose progress was reported last, and the fraction of it that has arrived. */
  let known = { id: '', fraction: 0 };
  let running: Promise<void> | null = null;
  /** Whether `wake` was called after the queue was last read, so that the queue must be read again. */
  let isWanted = false;
  let isFaultTold = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  scope.own(() => clearTimeout(timer));

  const show = (part: Partial<TakeSenderSnapshot>) => snapshot.set({ ...snapshot.get(), ...part });

  function wake() {
    if (scope.ended) return;
    clearTimeout(timer);
    isWanted = true;
    connection.shortenStallTimeout();
    running ??= run();
  }

  async function run() {
    while (isWanted && !scope.ended) {
      try {
        await runExclusively(`send takes of ${userId}`, ending.signal, sendAll);
      } catch (error) {
        isWanted = false;
        if (!scope.ended) tryLater(error);
      }
      show({ id: null, fraction: 0 });
    }
    running = null;
  }

  async function sendAll() {
    isWanted = false;
    // Ids of takes whose sending failed because of a bug. They wait for the next attempt, without blocking
    // other takes.
    const broken = new Set<string>();
    for (;;) {
      const queued = await queuedTakes();
      // The take that blocked sending was deleted or sent elsewhere. Without this, later takes of other tabs
      // would not start sending.
      if (queued?.length === 0) unblock();
      const next = queued?.find(({ id }) => !broken.has(id));
      if (!next || scope.ended) break;
      turn = new AbortController();
      show({ id: next.id, fraction: 0 });
      try {
        await send(next as StoredRecording & { sending: SubmissionFields });
        if (broken.size === 0) unblock();
      } catch (error) {
        if (turn.signal.aborted && !scope.ended) await forgetUpload(next.id);
        if (scope.ended || turn.signal.aborted || (await rejectIfFinal(error, next))) continue;
        tryLater(error);
        if (classifySendFailure(error) !== 'fault') break;
        broken.add(next.id);
      } finally {
        turn = null;
      }
    }
  }

  function unblock() {
    schedule.reset();
    show({ blockedBy: null, wait: null });
  }

  async function queuedTakes() {
    try {
      return (await store.listOf(userId)).filter(({ state }) => state === 'queued');
    } catch (error) {
      tryLater(error);
      return null;
    }
  }

  /** Stops sending the current take if it was cancelled or discarded, here or in another tab. */
  async function stopIfTakenBack() {
    const [sending, id] = [turn, snapshot.get().id];
    if (!sending || id === null) return;
    try {
      const take = await store.get(id);
      if (take?.state !== 'queued' && arriving !== id) sending.abort();
    } catch {
      // If the take can't be read, sending continues.
    }
  }
  scope.own(store.subscribe(() => void stopIfTakenBack()));

  /**
   * Starts sending when another tab queues a take, because that tab may be closed before it has sent the take.
   */
  async function sendIfQueued() {
    // Does nothing after a failure, because the next attempt is already scheduled or would be useless.
    if (running || snapshot.get().blockedBy !== null) return;
    if ((await queuedTakes())?.length) wake();
  }
  scope.own(store.subscribe(() => void sendIfQueued()));

  /**
   * Marks the take as rejected and deletes its upload, if retrying would not help.
   * @returns whether retrying would not help
   */
  async function rejectIfFinal(error: unknown, take: StoredRecording): Promise<boolean> {
    // Does not mark the take as rejected if the response has no message from our server, because it may come
    // from something else, such as a proxy.
    if (
      !(error instanceof CallError) ||
      !isPermanentFailureStatus(error.status) ||
      error.serverMessage === null
    )
      return false;
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
    const wait = getRequestedWait(error);
    const hindrance = wait ? 'asked-to-wait' : classifySendFailure(error);
    show({ blockedBy: hindrance, wait });
    if (hindrance === 'fault') reportFault(error);
    // Schedules no retry, because signing in again loads a new page.
    if (hindrance === 'signed-out') return;
    clearTimeout(timer);
    timer = setTimeout(wake, schedule.after(error, isAnswered));
  }

  /** Logs the bug only once, because sending is retried again and again. */
  function reportFault(error: unknown) {
    if (isFaultTold) return;
    isFaultTold = true;
    // The console is the only place on the device where this bug leaves a trace.
    // oxlint-disable-next-line no-console
    console.error('A recording could not be sent:', error);
  }

  async function send(take: StoredRecording & { sending: SubmissionFields }) {
    isAnswered = false;
    await uploader.deliver({
      // The take may have arrived although its confirmation was lost.
      mayHaveArrived: take.mayHaveArrived,
      onMissing: () => store.change(take.id, { mayHaveArrived: false }, ['queued']),
      files: async () => {
        const blob = await store.blobOf(take);
        if (!blob)
          throw new CallError(400, JSON.stringify({ message: 'Its audio is missing on this device.' }));
        return [{ uploadId: take.id, blob, slot }];
      },
      onProgress: (fraction) => recordArrived(take.id, fraction),
      onComplete: () => arrive(take),
      signal: stopping(),
    });
    await store.remove(take.id, 'sent');
    onSent?.(take);
  }

  async function arrive(take: StoredRecording & { sending: SubmissionFields }) {
    arriving = take.id;
    try {
      const isMarked = await store.change(take.id, { mayHaveArrived: true }, ['queued']);
      // Aborts if the take was cancelled. A take that the device has lost was not cancelled, so it is sent
      // anyway.
      if (!isMarked && (await store.get(take.id))) turn?.abort();
      if (turn?.signal.aborted) throw turn.signal.reason;
      assertCreated(
        await connection.withStallTimeout(stopping(), (signal, moved) => make(take, signal, moved)),
      );
    } finally {
      arriving = null;
    }
  }

  function make(
    take: StoredRecording & { sending: SubmissionFields },
    signal: AbortSignal,
    moved: () => void,
  ) {
    const commitTake = () => commit(take, signal);
    if (!mayInspectionTakeLong(take)) return commitTake();
    return withInspectionPolling(take.id, commitTake, {
      onProgress(progress) {
        // Restarts the stall timeout, because the server is still working.
        if (progress) moved();
        show({ inspectionProgress: progress });
      },
      call,
    });
  }

  function recordArrived(id: string, fraction: number) {
    // Resets the backoff if more has arrived. `fraction` includes chunks of an earlier attempt whose
    // responses were lost.
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

  scope.own(snapshot.clear);

  return {
    subscribe: snapshot.subscribe,
    get: snapshot.get,
    wake,
    settled: () => running ?? Promise.resolve(),
    cancel,
    end: () => scope.end(),
  };
}
