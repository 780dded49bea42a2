import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Family } from './families.ts';

export type RequestCounts = ReturnType<typeof requestCounts>;

/** Upper bounds of the buckets, in seconds: from an answer out of memory to an upload over a poor connection. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

/** As nginx says it: the client left before the answer was complete. */
const CLIENT_LEFT = 499;

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

type Route = {
  labels: { method: string; route: string };
  byStatus: Map<number, number>;
  /** How many took up to each bound, and no less; the last for those beyond all. */
  buckets: number[];
  seconds: number;
};

/**
 * Counts requests by the patterns of their routes, of which there are as many as endpoints: what a client asks for never
 * becomes a label.
 */
export function requestCounts() {
  const routes = new Map<string, Route>();

  function routeOf(method: string, route: string): Route {
    const key = `${method} ${route}`;
    let found = routes.get(key);
    if (!found) {
      const buckets = Array.from({ length: BOUNDS.length + 1 }, () => 0);
      found = { labels: { method, route }, byStatus: new Map(), buckets, seconds: 0 };
      routes.set(key, found);
    }
    return found;
  }

  return {
    count(app: FastifyInstance) {
      app.addHook('onRequest', (request, reply, done) => {
        // Also when the client leaves, of which Fastify says nothing.
        reply.raw.once('close', () => {
          const route = routeOf(methodOf(request), patternOf(request));
          const status = reply.raw.writableFinished ? reply.raw.statusCode : CLIENT_LEFT;
          route.byStatus.set(status, (route.byStatus.get(status) ?? 0) + 1);
          // A stream lasts as long as its page is open.
          if (request.routeOptions.config.staysOpen) return;
          const seconds = reply.elapsedTime / 1000;
          const at = BOUNDS.findIndex((bound) => seconds <= bound);
          route.buckets[at === -1 ? BOUNDS.length : at]! += 1;
          route.seconds += seconds;
        });
        done();
      });
    },

    families: (): Family[] => {
      const all = [...routes.values()];
      return [
        {
          name: 'http_requests_total',
          help: 'Requests that have ended; 499 if the client left before.',
          type: 'counter',
          samples: all.flatMap(({ labels, byStatus }) =>
            [...byStatus].map(([status, value]) => ({
              labels: { ...labels, status: String(status) },
              value,
            })),
          ),
        },
        {
          name: 'http_request_duration_seconds',
          help: 'From the head of a request to the end of its answer, or until the client left; without event streams.',
          type: 'histogram',
          samples: all.flatMap(histogramOf),
        },
      ];
    },
  };
}

function histogramOf({ labels, buckets, seconds }: Route): Family['samples'] {
  let count = 0;
  const cumulative = buckets.map((some) => (count += some));
  if (count === 0) return [];
  return [
    ...cumulative.map((value, at) => ({
      suffix: '_bucket' as const,
      labels: { ...labels, le: at < BOUNDS.length ? String(BOUNDS[at]) : '+Inf' },
      value,
    })),
    { suffix: '_sum', labels, value: seconds },
    { suffix: '_count', labels, value: count },
  ];
}

const methodOf = ({ method }: FastifyRequest) => (METHODS.has(method) ? method : 'other');

function patternOf({ is404, routeOptions }: FastifyRequest): string {
  if (is404) return 'none';
  // What has no pattern is a file of the build, whose name has a hash.
  return routeOptions.config.pattern ?? 'static';
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How the route is called in metrics. */
    pattern?: string;
    staysOpen?: boolean;
  }
}
