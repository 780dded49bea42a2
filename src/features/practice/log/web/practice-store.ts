import { answered, ended, openedWhenNeeded } from '#web/device/indexed-db.ts';
import { newId } from '#web/uploads/new-id.ts';
import type { Addition } from '../contract.ts';

// Practice that the server has not counted yet, in IndexedDB. Open rows add up the practice of one melody and day.
// Before a row is sent, it is closed under an id, which serves as its idempotency key.

const NAME = 'practice';
const GROWING = 'growing';
const CLOSED = 'closed';

type Growing = Omit<Addition, 'clientId'> & { userId: string };
type Closed = Addition & { userId: string };

export type Practice = Omit<Growing, 'userId'>;

const { database } = openedWhenNeeded(() => {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(GROWING, { keyPath: ['userId', 'melodyId', 'day'] });
    request.result.createObjectStore(CLOSED, { keyPath: 'clientId' }).createIndex('userId', 'userId');
  };
  return answered(request);
});

/**
 * Runs `work` in one transaction and resolves once everything is on disk.
 * @throws if the device's storage fails
 */
async function write<T>(work: (growing: IDBObjectStore, closed: IDBObjectStore) => Promise<T>): Promise<T> {
  const transaction = (await database()).transaction([GROWING, CLOSED], 'readwrite', {
    durability: 'strict',
  });
  const written = ended(transaction);
  const [result] = await Promise.all([
    work(transaction.objectStore(GROWING), transaction.objectStore(CLOSED)),
    written,
  ]);
  return result;
}

/** Returns the range of all keys that begin with the user's id. */
const rangeOf = (userId: string) => IDBKeyRange.bound([userId], [userId, []]);

export const storePractice = (userId: string, { melodyId, day, seconds, times }: Practice) =>
  write(async (growing) => {
    const request = growing.get([userId, melodyId, day]) as IDBRequest<Growing | undefined>;
    const before = await answered(request);
    growing.put({
      ...{ userId, melodyId, day },
      seconds: (before?.seconds ?? 0) + seconds,
      times: (before?.times ?? 0) + times,
    });
  });

/**
 * Closes the open rows.
 * @returns everything that the server has not counted, in whole seconds
 */
export const closePractice = (userId: string): Promise<Addition[]> =>
  write(async (growing, closed) => {
    const grown = await answered(growing.getAll(rangeOf(userId)) as IDBRequest<Growing[]>);
    for (const { seconds, ...practice } of grown)
      closed.put({ ...practice, seconds: Math.round(seconds), clientId: newId() });
    growing.delete(rangeOf(userId));
    const rows = await answered(closed.index('userId').getAll(userId) as IDBRequest<Closed[]>);
    return rows.map(({ userId: _, ...addition }) => addition);
  });

/** Deletes additions that the server has counted. */
export const forgetPractice = (additions: readonly Addition[]) =>
  write(async (_growing, closed) => {
    for (const { clientId } of additions) closed.delete(clientId);
  });

/** Returns the seconds of a user's practice that the server has not counted. */
export const waitingSeconds = (userId: string): Promise<number> =>
  write(async (growing, closed) => {
    const rows = [
      ...(await answered(growing.getAll(rangeOf(userId)) as IDBRequest<Growing[]>)),
      ...(await answered(closed.index('userId').getAll(userId) as IDBRequest<Closed[]>)),
    ];
    return rows.reduce((sum, { seconds }) => sum + seconds, 0);
  });
