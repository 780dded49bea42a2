import { notifyDatabaseOpened } from './database-presence.ts';

/** Resolves with the result of a request. */
export const awaitIdbRequest = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The device’s storage failed'));
  });

/** Resolves once the transaction's writes are stored. */
export const awaitIdbTransaction = (transaction: IDBTransaction) =>
  new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('The device’s storage failed'));
  });

/**
 * Creates an accessor that opens the database when it is first needed, and reopens it if the browser, or a tab
 * with a newer version, has closed it.
 */
export function createLazyIndexedDb(open: () => Promise<IDBDatabase>) {
  let opening: Promise<IDBDatabase> | null = null;
  const forget = () => (opening = null);
  return {
    database: (): Promise<IDBDatabase> =>
      (opening ??= open().then(
        (db) => {
          notifyDatabaseOpened();
          db.onclose = forget;
          db.onversionchange = () => {
            db.close();
            forget();
          };
          return db;
        },
        (error: unknown) => {
          forget();
          throw error;
        },
      )),
    close() {
      void opening?.then((db) => db.close());
      forget();
    },
  };
}
