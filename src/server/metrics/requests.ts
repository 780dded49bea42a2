import { Counter, Histogram, Registry } from '@prometheus-io/client';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export type RequestMetrics = ReturnType<typeof createRequestMetrics>;

/**
 * Upper bounds of the histogram's buckets, in seconds. The lowest suit cached responses, the highest suit
 * uploads over a poor connection.
 */
const BUCKET_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

/** nginx's status code for a client that disconnected before the response was complete. */
const CLIENT_DISCONNECTED = 499;

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Creates metrics that count and time requests by method and route pattern. They never use a path sent by a
 * client as a label.
 */
export function createRequestMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const total = new Counter({
    name: 'http_requests_total',
    help: 'Completed requests; status 499 if the client disconnected first.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request’s headers to the end of its response, or until the client disconnected; without event streams.',
    labelNames: ['method', 'route'],
    buckets: BUCKET_BOUNDS,
    registers,
  });

  return {
    registry,
    count(app: FastifyInstance) {
      app.addHook('onRequest', (request, reply, done) => {
        // Listens for 'close', because Fastify does not call onResponse if the client has disconnected.
        reply.raw.once('close', () => {
          const labels = { method: getMethodLabel(request), route: getRoutePattern(request) };
          const status = reply.raw.writableFinished ? reply.raw.statusCode : CLIENT_DISCONNECTED;
          total.inc({ ...labels, status });
          // Skips event streams, because they last as long as the page is open.
          if (!request.routeOptions.config.staysOpen) duration.observe(labels, reply.elapsedTime / 1000);
        });
        done();
      });
    },
  };
}

const getMethodLabel = ({ method }: FastifyRequest) => (METHODS.has(method) ? method : 'other');

function getRoutePattern({ is404, routeOptions }: FastifyRequest): string {
  if (is404) return 'none';
  // Uses one label for all routes without a pattern. They serve files of the build, whose names contain hashes.
  return routeOptions.config.pattern ?? 'static';
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Name of the route in metrics. */
    pattern?: string;
    staysOpen?: boolean;
  }
}
