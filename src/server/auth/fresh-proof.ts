import { AppError } from '#shared/errors.ts';
import {
  IDENTITY_PROOF_LIFETIME_MS,
  IDENTITY_PROOF_ISSUE_PATH,
  IDENTITY_PROOF_NEEDED_MESSAGE,
} from '#shared/identity-proof.ts';
import type { Caller } from './sessions.ts';

/**
 * Throws if the user has not entered a password or used a passkey within {@link IDENTITY_PROOF_LIFETIME_MS}
 * in this session. Without this check, a stolen cookie, or a device left unlocked, would be enough to take over
 * an account.
 * @throws AppError 'forbidden', with the issue `proof`
 */
export function assertFreshIdentityProof({ provedAt }: Pick<Caller, 'provedAt'>, now: Date): void {
  if (provedAt && now.getTime() - provedAt.getTime() < IDENTITY_PROOF_LIFETIME_MS) return;
  throw new AppError('forbidden', IDENTITY_PROOF_NEEDED_MESSAGE, {
    issues: [{ path: IDENTITY_PROOF_ISSUE_PATH, message: IDENTITY_PROOF_NEEDED_MESSAGE }],
  });
}
