import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

// Makes the request's id available to all work done for the request, so that every log line can contain it.

const current = new AsyncLocalStorage<string | null>();

/** Returns the id of the request that is being handled; null outside of requests. */
export const getRequestId = (): string | null => current.getStore() ?? null;

/** Runs a task, and all work that it starts, with this request id. */
export const runWithRequestId = <T>(id: string, task: () => T): T => current.run(id, task);

/**
 * Runs a task without a request id, for example shared work that the request happens to start, or later events
 * on its connection.
 */
export const runWithoutRequestId = <T>(task: () => T): T => current.run(null, task);

/** Header with the request id. Log lines and messages on the screen contain the same id. */
export const REQUEST_ID_HEADER = 'x-request-id';

export const createRequestId = (): string => crypto.randomUUID();

/**
 * Creates a generator of request ids. Behind a trusted proxy, it reuses the id that the proxy sends, so that
 * both logs agree.
 */
export const createRequestIdGenerator =
  (proxies: number) =>
  ({ headers }: IncomingMessage): string => {
    const sent = headers[REQUEST_ID_HEADER];
    return proxies > 0 && typeof sent === 'string' && VALID_REQUEST_ID.test(sent) ? sent : createRequestId();
  };

/** Pattern of accepted ids. Any other id could imitate other parts of a log line, or fill the log. */
const VALID_REQUEST_ID = /^[\w.-]{8,128}$/;

/** Adds the request id to each response, and runs all work for the request with that id. */
export function addRequestIds(app: FastifyInstance) {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header(REQUEST_ID_HEADER, request.id);
    runWithRequestId(request.id, done);
  });
}
