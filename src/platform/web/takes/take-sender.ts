import { createScope } from '../audio/scope.ts';
import { call as callApi, CallError } from '../call.ts';
import type { KeptTake, Sending } from './kept-take.ts';
import { aloneAt } from './take-locks.ts';
import type { TakeStore } from './take-store.ts';
import { uploadInPieces, withinTime } from './upload-in-pieces.ts';

const WAITS_MS = [2_000, 5_000, 15_000, 30_000, 60_000, 120_000, 300_000];

/** Makes the end out of a file that has arrived; resolves when the server has confirmed it. */
export type Commit = (take: KeptTake & { sending: Sending }, signal: AbortSignal) => Promise<void>;

/** How sending goes: `id` null means that nothing is on its way right now. */
export type SenderSnapshot = {
  readonly id: string | null;
  /** 0 to 1 of the one that is on its way. */
  readonly fraction: number;
  /** Why the last try did not get through; null while it goes well. */
  readonly hindrance: null | 'no-line' | 'server' | 'signed-out';
};

export type TakeSender = {
  subscribe(listener: () => void): () => void;
  getSnapshot(): SenderSnapshot;
  /** Sends what is queued, now. */
  wake(): void;
  end(): void;
};

const STILL: SenderSnapshot = { id: null, fraction: 0, hindrance: null };

/**
 * Brings one person's queued takes to the server, one tab at a time, oldest first. It tries when told to, and again
 * after waits that grow. The local copy goes only after the server has
 * confirmed the recording; whatever ends this in between, the next try goes on where it stopped.
 */
export function createTakeSender(options: {
  store: TakeStore;
  userId: string;
  commit: Commit;
  /** A take has been confirmed and is no longer on the device. */
  onSent?: (take: KeptTake) => void;
  /** Tests bring their own. */
  call?: typeof callApi;
  random?: () => number;
}): TakeSender {
  const { store, userId, commit, onSent, call = callApi, random = Math.random } = options;
  const scope = createScope();
  const listeners = new Set<() => void>();
  const ending = new AbortController();
  scope.own(() => ending.abort());
  let snapshot = STILL;
  let failures = 0;
  let isRunning = false;
  let isWanted = false;
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
    if (isRunning) return;
    isRunning = true;
    void run().finally(() => (isRunning = false));
  }

  async function run() {
    while (isWanted && !scope.ended) {
      isWanted = false;
      // Rejects only when this sender ends while it waits for its turn.
      await aloneAt(`send takes of ${userId}`, ending.signal, sendAll).catch(() => undefined);
    }
  }

  async function sendAll() {
    for (;;) {
      const queued = (await store.listOf(userId)).filter(({ state }) => state === 'queued');
      const [next] = queued;
      if (!next || scope.ended) break;
      show({ id: next.id, fraction: 0 });
      try {
        await send(next as KeptTake & { sending: Sending });
        failures = 0;
        show({ hindrance: null });
      } catch (error) {
        if (scope.ended || (await isSettledBy(error, next))) continue;
        tryLater(error);
        break;
      }
    }
    show({ id: null, fraction: 0 });
  }

  /** What no further try would change. */
  async function isSettledBy(error: unknown, take: KeptTake): Promise<boolean> {
    if (!(error instanceof CallError) || !isFinal(error.status)) return false;
    await store.change(take.id, { state: 'refused', refusal: error.serverMessage, hasBegun: false });
    await call('DELETE /api/uploads/{clientId}', { params: { clientId: take.id } }).catch(() => undefined);
    return true;
  }

  function tryLater(error: unknown) {
    const status = error instanceof CallError ? error.status : 0;
    show({ hindrance: status === 401 ? 'signed-out' : status === 0 ? 'no-line' : 'server' });
    // Who has to sign in first comes back by a new page.
    if (status === 401) return;
    const wait = WAITS_MS[Math.min(failures, WAITS_MS.length - 1)] ?? 0;
    failures += 1;
    timer = setTimeout(wake, wait * (0.75 + random() / 2));
  }

  async function send(take: KeptTake & { sending: Sending }) {
    // It may have arrived, and only the confirmation been lost.
    const arrived = take.hasBegun && (await commitIfThere(take));
    if (!arrived) {
      const file = await store.blobOf(take);
      if (!file)
        throw new CallError(400, JSON.stringify({ message: 'Its sound is missing on this device.' }));
      if (!take.hasBegun) await store.change(take.id, { hasBegun: true });
      await upload(take.id, file);
      await commit(take, limited());
    }
    await store.remove(take.id);
    onSent?.(take);
  }

  async function commitIfThere(take: KeptTake & { sending: Sending }) {
    try {
      await commit(take, limited());
      return true;
    } catch (error) {
      if (error instanceof CallError && error.status === 409) return false;
      throw error;
    }
  }

  const upload = (clientId: string, file: Blob) =>
    uploadInPieces({
      clientId,
      file,
      signal: ending.signal,
      onProgress: (fraction) => show({ fraction }),
      call,
    });

  const limited = () => withinTime(ending.signal);

  scope.own(() => listeners.clear());

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getSnapshot: () => snapshot,
    wake,
    end: () => scope.end(),
  };
}

/** Bad input, too large, no audio: no further try helps. What may pass (401, 404 of a forgotten upload, 5xx) is none. */
const isFinal = (status: number) => [400, 403, 413, 415].includes(status);
