import { createHash, randomBytes } from 'node:crypto';
import type { NewPasskey, PasskeyAnswer } from '../contract.ts';

// Loaded when it is first needed: it would be a quarter of a start.
const library = () => import('@simplewebauthn/server');

export const CHALLENGE_MS = 5 * 60 * 1000;

export const newChallenge = () => randomBytes(32).toString('base64url');
export const hashed = (challenge: string) => createHash('sha256').update(challenge).digest('hex');

/** The challenge that an answer says it is to; whether it is, the signature says. */
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

/** The algorithms that are taken, the best first: EdDSA, ES256, RS256. */
export const ALGORITHMS = [-8, -7, -257];

/** @returns the new passkey, or null for an answer that is none to this challenge, or not from our pages */
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

/** @returns how often the passkey has been used now, or null for an answer that proves nothing */
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

/** Our own types allow an absent field to be said as undefined. */
const asSent = <T>(given: T) => JSON.parse(JSON.stringify(given)) as never;
