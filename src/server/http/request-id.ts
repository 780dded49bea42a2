import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

// Work done for a request can read the request's id, so that every log line contains it.

const current = new AsyncLocalStorage<string | null>();

/** Returns the id of the request that is being handled; null outside of requests. */
export const getRequestId = (): string | null => current.getStore() ?? null;

/** Runs the work for a request, including everything that it starts. */
export const runInRequest = <T>(id: string, task: () => T): T => current.run(id, task);

/**
 * Runs work outside the current request, such as shared work that the request only happens to start, or further
 * events on its connection.
 */
export const runOutsideRequests = <T>(task: () => T): T => current.run(null, task);

/** Identifies the request in its response, in log lines and in messages on the screen. */
export const REQUEST_ID_HEADER = 'x-request-id';

export const createRequestId = (): string => crypto.randomUUID();

/**
 * Generates request ids. If the settings say that there is a proxy in front, the id that the proxy sends is used, so
 * that both logs agree.
 */
export const createRequestIdGenerator =
  (proxies: number) =>
  ({ headers }: IncomingMessage): string => {
    const sent = headers[REQUEST_ID_HEADER];
    return proxies > 0 && typeof sent === 'string' && VALID_REQUEST_ID.test(sent) ? sent : createRequestId();
  };

/** Valid ids. Others could pass for another part of a log line, or fill it. */
const VALID_REQUEST_ID = /^[\w.-]{8,128}$/;

/** Adds the id to each response, and makes it available to all work for the request. */
export function addRequestIds(app: FastifyInstance) {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header(REQUEST_ID_HEADER, request.id);
    runInRequest(request.id, done);
  });
}
