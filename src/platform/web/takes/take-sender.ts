import { createScope } from '../audio/scope.ts';
import { call as callApi, CallError } from '../call.ts';
import type { KeptTake, Sending } from './kept-take.ts';
import { aloneAt } from './take-locks.ts';
import type { TakeStore } from './take-store.ts';

/** Small enough to get through between two cuts of a poor line; larger while it goes well, smaller when not. */
const FIRST_PIECE = 256 * 1024;
const SMALLEST_PIECE = 32 * 1024;
const LARGEST_PIECE = 1024 * 1024;

/** A line that is dead in the middle of a call does not say so. */
const CALL_TIMEOUT_MS = 45_000;

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
  // What the line has shown so far, also to the tries that follow.
  let pieceSize = FIRST_PIECE;
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

  async function upload(clientId: string, file: Blob) {
    const params = { clientId };
    let received = await begin(clientId, file.size);
    show({ fraction: received / file.size });
    while (received < file.size) {
      try {
        ({ received } = await call('PATCH /api/uploads/{clientId}', {
          params,
          query: { start: received },
          bytes: file.slice(received, received + pieceSize),
          signal: limited(),
        }));
        pieceSize = Math.min(LARGEST_PIECE, pieceSize * 2);
        // Waits grow for a line that brings nothing.
        failures = 0;
      } catch (error) {
        const isLine = !(error instanceof CallError) || error.status === 0;
        const isSmallest = pieceSize === SMALLEST_PIECE;
        if (isLine) pieceSize = Math.max(SMALLEST_PIECE, pieceSize / 4);
        if (!isLine || isSmallest || scope.ended) throw error;
        received = await begin(clientId, file.size);
      }
      show({ fraction: received / file.size });
    }
  }

  /** @returns how many bytes have arrived */
  async function begin(clientId: string, size: number): Promise<number> {
    const params = { clientId };
    const ask = () => call('PUT /api/uploads/{clientId}', { params, body: { size }, signal: limited() });
    try {
      return (await ask()).received;
    } catch (error) {
      if (!(error instanceof CallError) || error.status !== 409) throw error;
      // Begun once with a file of another length: that one is of no use.
      await call('DELETE /api/uploads/{clientId}', { params, signal: limited() });
      return (await ask()).received;
    }
  }

  const limited = () => AbortSignal.any([ending.signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]);

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
