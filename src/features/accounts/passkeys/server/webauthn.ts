import { createHash, randomBytes } from 'node:crypto';
import type { NewPasskey, PasskeyAnswer } from '../contract.ts';

// Loaded on first use: otherwise it would be a quarter of the startup time.
const library = () => import('@simplewebauthn/server');

export const CHALLENGE_MS = 5 * 60 * 1000;

export const newChallenge = () => randomBytes(32).toString('base64url');
export const hashed = (challenge: string) => createHash('sha256').update(challenge).digest('hex');

/** Returns the challenge that an answer claims to be for. The signature check then verifies that claim. */
export function challengeIn(clientDataJSON: string): string {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    const challenge =
      typeof data === 'object' && data !== null && 'challenge' in data ? data.challenge : null;
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}

/** Accepted algorithms, in order of preference: EdDSA, ES256, RS256. */
export const ALGORITHMS = [-8, -7, -257];

/** @returns the new passkey, or null if the answer doesn't fit the challenge or isn't from our pages */
export async function verifiedNew(given: NewPasskey, challenge: string, publicUrl: URL) {
  const { verifyRegistrationResponse } = await library();
  const { registrationInfo } = await verifyRegistrationResponse({
    response: asSent(given),
    expectedChallenge: challenge,
    expectedOrigin: publicUrl.origin,
    expectedRPID: publicUrl.hostname,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => ({ registrationInfo: undefined }));
  if (!registrationInfo) return null;
  const { id, publicKey, counter } = registrationInfo.credential;
  return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter };
}

type Known = { credentialId: string; publicKey: string; counter: number };

/** @returns the passkey's new counter, or null for an answer that proves nothing */
export async function verifiedUse(given: PasskeyAnswer, challenge: string, known: Known, publicUrl: URL) {
  const { verifyAuthenticationResponse } = await library();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: asSent(given),
    expectedChallenge: challenge,
    expectedOrigin: publicUrl.origin,
    expectedRPID: publicUrl.hostname,
    requireUserVerification: true,
    credential: {
      id: known.credentialId,
      publicKey: new Uint8Array(Buffer.from(known.publicKey, 'base64url')),
      counter: known.counter,
    },
  }).catch(() => ({ verified: false, authenticationInfo: undefined }));
  return verified && authenticationInfo ? { counter: authenticationInfo.newCounter } : null;
}

/** Removes fields that are undefined, which our own types allow. */
const asSent = <T>(given: T) => JSON.parse(JSON.stringify(given)) as never;
