import type { FastifyRequest } from 'fastify';
import { AppError } from '../../contract/errors.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a state-changing request that another site's page makes the browser send. The host that the request itself
 * names is what counts, so that localhost, a LAN address and a domain all work without a setting; another port and
 * a sibling domain are foreign. What sends no `Origin` is no browser and has no cookies to be abused.
 * @throws AppError 'forbidden'
 */
export function refuseForeignOrigin(request: FastifyRequest): void {
  const { origin } = request.headers;
  if (SAFE.has(request.method) || origin === undefined) return;
  // `request.host` is the forwarded one behind trusted proxies only.
  if (URL.canParse(origin) && sameHost(new URL(origin), request.host)) return;
  throw new AppError('forbidden', 'Forbidden');
}

/** The origin's scheme says which port may be left out of the host. */
function sameHost(origin: URL, host: string): boolean {
  const named = `${origin.protocol}//${host}`;
  return URL.canParse(named) && new URL(named).host === origin.host;
}
