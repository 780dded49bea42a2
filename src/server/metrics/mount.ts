import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { AppError, createNotFoundError } from '#shared/errors.ts';

const PATH = '/metrics';

/**
 * Mounts the route from which Prometheus scrapes the metrics. The route requires a token instead of a session.
 * @param metrics contains the token expected as `Authorization: Bearer …`; if null, the path returns 404
 */
export function mountMetrics(
  app: FastifyInstance,
  metrics: { token: string; contentType: string; collect: () => Promise<string> } | null,
) {
  app.get(PATH, { config: { pattern: PATH } }, async ({ headers }, reply) => {
    if (!metrics) throw createNotFoundError();
    if (!isEqualInConstantTime(headers.authorization ?? '', `Bearer ${metrics.token}`)) {
      void reply.header('www-authenticate', 'Bearer');
      throw new AppError('unauthorized', 'Unauthorized');
    }
    const text = await metrics.collect();
    return reply.headers({ 'content-type': metrics.contentType, 'cache-control': 'no-store' }).send(text);
  });
}

/**
 * Compares two texts in a time that doesn't depend on where they differ. Hashes them first, because
 * `timingSafeEqual` requires equal lengths.
 */
const isEqualInConstantTime = (one: string, other: string) =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
