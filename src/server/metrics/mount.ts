import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { AppError, notFound } from '#shared/errors.ts';

const PATH = '/metrics';

/**
 * Answers Prometheus, which is no user.
 * @param metrics with the token to be sent as `Authorization: Bearer …`; null: there is nothing here
 */
export function mountMetrics(
  app: FastifyInstance,
  metrics: { token: string; contentType: string; collect: () => Promise<string> } | null,
) {
  app.get(PATH, { config: { pattern: PATH } }, async ({ headers }, reply) => {
    if (!metrics) throw notFound();
    if (!isSame(headers.authorization ?? '', `Bearer ${metrics.token}`)) {
      void reply.header('www-authenticate', 'Bearer');
      throw new AppError('unauthorized', 'Unauthorized');
    }
    const text = await metrics.collect();
    return reply.headers({ 'content-type': metrics.contentType, 'cache-control': 'no-store' }).send(text);
  });
}

/** In the same time wherever they differ, and however long they are. */
const isSame = (one: string, other: string) =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
