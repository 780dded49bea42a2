import { awaitIdbRequest, awaitIdbTransaction, createLazyIndexedDb } from '#web/device/indexed-db.ts';
import { createUuid } from '#web/uploads/create-uuid.ts';
import type { PracticeAddition } from '../contract.ts';

// Stores practice in IndexedDB until the server has counted it. An open row adds up a user's practice of one
// melody on one day. Before a row is sent, it is closed: it gets an id, which serves as its idempotency key,
// and no longer changes.

const DATABASE_NAME = 'practice';
const OPEN_STORE = 'growing';
const CLOSED_STORE = 'closed';

type OpenRow = Omit<PracticeAddition, 'clientId'> & { userId: string };
type ClosedRow = PracticeAddition & { userId: string };

export type PracticeToAdd = Omit<OpenRow, 'userId'>;

const { database } = createLazyIndexedDb(() => {
  const request = indexedDB.open(DATABASE_NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(OPEN_STORE, { keyPath: ['userId', 'melodyId', 'day'] });
    request.result.createObjectStore(CLOSED_STORE, { keyPath: 'clientId' }).createIndex('userId', 'userId');
  };
  return awaitIdbRequest(request);
});

/**
 * Runs `work` in one transaction, and resolves with its result once everything is on disk.
 * @throws if the device's storage fails
 */
async function runTransaction<T>(
  work: (openRows: IDBObjectStore, closed: IDBObjectStore) => Promise<T>,
): Promise<T> {
  const transaction = (await database()).transaction([OPEN_STORE, CLOSED_STORE], 'readwrite', {
    durability: 'strict',
  });
  const written = awaitIdbTransaction(transaction);
  const [result] = await Promise.all([
    work(transaction.objectStore(OPEN_STORE), transaction.objectStore(CLOSED_STORE)),
    written,
  ]);
  return result;
}

/** Returns the range of all keys that begin with the user's id. */
const getUserRange = (userId: string) => IDBKeyRange.bound([userId], [userId, []]);

export const addPractice = (userId: string, { melodyId, day, seconds, times }: PracticeToAdd) =>
  runTransaction(async (openRows) => {
    const request = openRows.get([userId, melodyId, day]) as IDBRequest<OpenRow | undefined>;
    const before = await awaitIdbRequest(request);
    openRows.put({
      ...{ userId, melodyId, day },
      seconds: (before?.seconds ?? 0) + seconds,
      times: (before?.times ?? 0) + times,
    });
  });

/**
 * Closes the user's open rows.
 * @returns all closed rows of the user, including rows closed earlier, in whole seconds
 */
export const closePracticeRows = (userId: string): Promise<PracticeAddition[]> =>
  runTransaction(async (openRows, closed) => {
    const open = await awaitIdbRequest(openRows.getAll(getUserRange(userId)) as IDBRequest<OpenRow[]>);
    for (const { seconds, ...practice } of open)
      closed.put({ ...practice, seconds: Math.round(seconds), clientId: createUuid() });
    openRows.delete(getUserRange(userId));
    const rows = await awaitIdbRequest(closed.index('userId').getAll(userId) as IDBRequest<ClosedRow[]>);
    return rows.map(({ userId: _, ...addition }) => addition);
  });

/** Deletes additions that the server has counted. */
export const deletePracticeAdditions = (additions: readonly PracticeAddition[]) =>
  runTransaction(async (_growing, closed) => {
    for (const { clientId } of additions) closed.delete(clientId);
  });

/** Returns the seconds of a user's practice that the server has not counted. */
export const sumUnsentPracticeSeconds = (userId: string): Promise<number> =>
  runTransaction(async (openRows, closed) => {
    const rows = [
      ...(await awaitIdbRequest(openRows.getAll(getUserRange(userId)) as IDBRequest<OpenRow[]>)),
      ...(await awaitIdbRequest(closed.index('userId').getAll(userId) as IDBRequest<ClosedRow[]>)),
    ];
    return rows.reduce((sum, { seconds }) => sum + seconds, 0);
  });
