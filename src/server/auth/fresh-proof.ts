import { AppError } from '#shared/errors.ts';
import { PROOF_LIFETIME_MS, PROOF_ISSUE_PATH, PROOF_NEEDED_MESSAGE } from '#shared/fresh-proof.ts';
import type { Caller } from './sessions.ts';

/**
 * Throws if the user has not entered a password or used a passkey within {@link PROOF_LIFETIME_MS} in this
 * session. Without this check, a stolen cookie, or a device left unlocked, would be enough to take over an
 * account.
 * @throws AppError 'forbidden', with the issue `proof`
 */
export function assertFreshProof({ provedAt }: Pick<Caller, 'provedAt'>, now: Date): void {
  if (provedAt && now.getTime() - provedAt.getTime() < PROOF_LIFETIME_MS) return;
  throw new AppError('forbidden', PROOF_NEEDED_MESSAGE, {
    issues: [{ path: PROOF_ISSUE_PATH, message: PROOF_NEEDED_MESSAGE }],
  });
}
