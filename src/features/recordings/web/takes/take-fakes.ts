import { encodeWav } from '#web/audio/wav.ts';
import type { StoredRecording, NewStoredRecording } from '#web/audio/stored-recording.ts';
import { createEventEmitter } from '#web/store.ts';
import { createUuid } from '#web/uploads/create-uuid.ts';
import { TakeStoreError, type TakeStore } from './take-store.ts';

/** Creates an in-memory store that can be made to fail like a full device. */
export function createMemoryTakeStore() {
  const takes = new Map<string, StoredRecording>();
  const chunks = new Map<string, Map<number, ArrayBuffer>>();
  const { subscribe, notify } = createEventEmitter();
  const sent = new Set<string>();
  let isFull = false;
  let isBroken = false;
  const assertRoom = () => {
    if (isFull) throw new TakeStoreError(new DOMException('', 'QuotaExceededError'));
    return Promise.resolve();
  };
  const fresh = (take: NewStoredRecording, state: StoredRecording['state']): StoredRecording => ({
    ...take,
    id: createUuid(),
    state,
    createdAt: takes.size,
    seconds: null,
    peaks: null,
    sending: take.sending ?? null,
    mayHaveArrived: false,
    refusal: null,
  });
  const store = {
    subscribe,
    announce: notify,
    async begin(take: NewStoredRecording, id: string) {
      await assertRoom();
      const made = { ...fresh(take, 'recording'), id };
      takes.set(made.id, made);
      chunks.set(made.id, new Map());
      return made;
    },
    async append(id: string, added: readonly { index: number; bytes: ArrayBuffer }[]) {
      await assertRoom();
      for (const { index, bytes } of added) chunks.get(id)?.set(index, bytes);
    },
    async keepFile(
      take: NewStoredRecording,
      file: Blob,
      more: Pick<StoredRecording, 'seconds' | 'peaks'>,
      id: string = createUuid(),
    ) {
      await assertRoom();
      const made = { ...fresh(take, 'recorded'), ...more, id };
      takes.set(made.id, made);
      chunks.set(made.id, new Map([[0, await file.arrayBuffer()]]));
      return made;
    },
    change(
      id: string,
      part: Partial<StoredRecording>,
      only?: readonly StoredRecording['state'][] | ((take: StoredRecording) => boolean),
    ) {
      const known = takes.get(id);
      const isChanged =
        known !== undefined &&
        (!only || (typeof only === 'function' ? only(known) : only.includes(known.state)));
      if (isChanged) takes.set(id, { ...known, ...part });
      notify();
      return Promise.resolve(isChanged);
    },
    get: (id: string) => Promise.resolve(takes.get(id)),
    listOf: (userId: string) =>
      isBroken
        ? Promise.reject(new TakeStoreError(new Error('The disk has gone')))
        : Promise.resolve([...takes.values()].filter((take) => take.userId === userId)),
    blobOf({ id, origin }: StoredRecording) {
      const sound = [...(chunks.get(id)?.values() ?? [])];
      if (sound.length === 0) return Promise.resolve(null);
      const blob =
        origin === 'uploaded' ? new Blob(sound) : encodeWav(sound.map((each) => new Int16Array(each)));
      return Promise.resolve(blob);
    },
    hasSound: ({ id }: StoredRecording) => Promise.resolve((chunks.get(id)?.size ?? 0) > 0),
    remove(id: string, why: 'sent' | 'discarded' = 'discarded') {
      takes.delete(id);
      chunks.delete(id);
      if (why === 'sent') sent.add(id);
      notify();
      return Promise.resolve();
    },
    wasSent: (id: string) => sent.has(id),
    close: () => undefined,
  } satisfies TakeStore;
  return {
    store,
    all: () => [...takes.values()],
    soundOf: (id: string) => [...(chunks.get(id)?.entries() ?? [])],
    fill: () => (isFull = true),
    /** Makes `listOf` fail, or work again if called with `false`. */
    break: (now = true) => (isBroken = now),
  };
}

export const TEST_TAKE: NewStoredRecording = {
  userId: 'tashi',
  purpose: 'recording',
  origin: 'uploaded',
  name: 'song.wav',
  type: 'audio/wav',
};
