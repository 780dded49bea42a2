import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

// What is done for a request knows the request's id, so that a log line says it wherever it is written.

const current = new AsyncLocalStorage<string | null>();

/** The id of the request that is being handled; null outside of one. */
export const requestId = (): string | null => current.getStore() ?? null;

/** Runs what is done for a request, with everything that follows from it. */
export const inRequest = <T>(id: string, task: () => T): T => current.run(id, task);

/** Runs what a request happens to begin, or a connection that it opened goes on to do, for all. */
export const outsideRequests = <T>(task: () => T): T => current.run(null, task);

/** Tells which request an answer, a log line and a sentence on the screen belong to. */
export const REQUEST_ID_HEADER = 'x-request-id';

export const newRequestId = (): string => crypto.randomUUID();

/**
 * Ids of our own. Where the settings say that there is a proxy in front, the id that it sends is taken over, so that its
 * log and ours agree.
 */
export const requestIdsBehind =
  (proxies: number) =>
  ({ headers }: IncomingMessage): string => {
    const sent = headers[REQUEST_ID_HEADER];
    return proxies > 0 && typeof sent === 'string' && SANE.test(sent) ? sent : newRequestId();
  };

/** What could be taken for another part of a log line, or fills it, is no id. */
const SANE = /^[\w.-]{8,128}$/;

/** Sends the id along with each answer, and has all that is done for the request know it. */
export function sayRequestIds(app: FastifyInstance) {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header(REQUEST_ID_HEADER, request.id);
    inRequest(request.id, done);
  });
}
