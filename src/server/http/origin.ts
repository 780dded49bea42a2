import type { FastifyRequest } from 'fastify';
import { AppError } from '#shared/errors.ts';
import type { Log } from '../log.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * `Sec-Fetch-Site` values of our own pages, and of typed or bookmarked URLs. Excludes `same-site`, which
 * sibling domains send.
 */
const OWN_SITES = new Set<unknown>(['same-origin', 'none']);

export type OriginCheck = ReturnType<typeof createOriginCheck>;

/**
 * Creates functions that distinguish our own pages from other sites, by their full origin: scheme, host and
 * port. Our origin is taken from the request itself, so that localhost, a LAN address and a domain all work
 * without configuration. Behind trusted proxies, the forwarded scheme and host are used.
 * @param publicUrl if its scheme is https, requests to its host count as https even if a proxy doesn't
 * forward the scheme
 */
export function createOriginCheck(publicUrl: URL, log: Pick<Log, 'warn'>) {
  let hasWarned = false;

  function isOurs(address: string, request: FastifyRequest): boolean {
    const given = parseOrigin(address);
    const named = parseOrigin(`${request.protocol}://${request.host}`);
    const isPublic = parseOrigin(`${publicUrl.protocol}//${request.host}`) === publicUrl.origin;
    const ours = isPublic && publicUrl.protocol === 'https:' ? publicUrl.origin : named;
    if (given !== null && given === ours) return true;
    if (given !== null && !hasWarned && given === parseOrigin(`https://${request.host}`)) {
      hasWarned = true;
      const advice = 'set PUBLIC_URL to its address, or TRUST_PROXY and let the proxy send X-Forwarded-Proto';
      log.warn(
        { origin: given, asked: ours },
        `a page on https was refused, because the request came by http: ${advice}`,
      );
    }
    return false;
  }

  /**
   * Returns whether `Sec-Fetch-Site` names another site. False without this header, which browsers before 2023
   * don't send.
   */
  const isOfOtherSite = ({ headers }: FastifyRequest) =>
    headers['sec-fetch-site'] !== undefined && !OWN_SITES.has(headers['sec-fetch-site']);

  return {
    /**
     * Rejects a state-changing request that another site's page made the browser send. A client that sends
     * neither `Origin` nor `Sec-Fetch-Site` is not a browser, so it has no cookies that could be abused.
     * @throws AppError 'forbidden'
     */
    refuseForeign(request: FastifyRequest): void {
      if (SAFE_METHODS.has(request.method)) return;
      const { origin } = request.headers;
      const isForeign = isOfOtherSite(request) || (origin !== undefined && !isOurs(origin, request));
      if (isForeign) throw new AppError('forbidden', 'Forbidden');
    },

    /** Returns whether the user followed a link on another site. False for a typed URL. */
    isLedFromElsewhere(request: FastifyRequest): boolean {
      const { referer } = request.headers;
      return isOfOtherSite(request) || (referer !== undefined && !isOurs(referer, request));
    },
  };
}

/** Returns the origin of a URL; null if the URL is invalid or has no origin. */
function parseOrigin(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { origin } = new URL(address);
  return origin === 'null' ? null : origin;
}
