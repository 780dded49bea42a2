import { AppError } from '../../../platform/contract/errors.ts';
import type { Handlers } from '../../../platform/server/http/handlers.ts';
import type { healthApi } from '../contract.ts';

/** @param checks each resolves when its part of the installation answers */
export const healthRoutes = (
  checks: (() => Promise<void>)[],
  openApi: Record<string, unknown>,
): Handlers<typeof healthApi> => ({
  alive: async () => ({ status: 200, body: { status: 'ok' } }),
  ready: async () => {
    const results = await Promise.allSettled(checks.map((check) => check()));
    if (results.some((result) => result.status === 'rejected'))
      throw new AppError('unavailable', 'Not ready');
    return { status: 200, body: { status: 'ready' } };
  },
  openApi: async () => ({ status: 200, body: openApi }),
});
