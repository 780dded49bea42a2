import { AsyncLocalStorage } from 'node:async_hooks';

// What is done for a request knows the request's id, so that a log line says it wherever it is written.

const current = new AsyncLocalStorage<string | null>();

/** The id of the request that is being handled; null outside of one. */
export const requestId = (): string | null => current.getStore() ?? null;

/** Runs what is done for a request, with everything that follows from it. */
export const inRequest = <T>(id: string, task: () => T): T => current.run(id, task);

/** Runs what a request happens to begin, or a connection that it opened goes on to do, for all. */
export const outsideRequests = <T>(task: () => T): T => current.run(null, task);
