import { createHash, randomBytes } from 'node:crypto';
import type { PasskeyAttestation, PasskeyAssertion } from '../contract.ts';

// Loaded on first use, because loading this library takes a quarter of the startup time.
const loadLibrary = () => import('@simplewebauthn/server');

export const CHALLENGE_TIMEOUT_MS = 5 * 60 * 1000;

export const generateChallenge = () => randomBytes(32).toString('base64url');
export const hashChallenge = (challenge: string) => createHash('sha256').update(challenge).digest('hex');

/**
 * Returns the challenge that a response claims to answer, or '' if the response is unreadable. Verifying the
 * signature also verifies this claim.
 */
export function readChallenge(clientDataJSON: string): string {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    const challenge =
      typeof data === 'object' && data !== null && 'challenge' in data ? data.challenge : null;
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}

/** COSE ids of the accepted algorithms, in order of preference: EdDSA, ES256, RS256. */
export const PASSKEY_ALGORITHMS = [-8, -7, -257];

/** @returns the new passkey, or null if the response is invalid */
export async function verifyPasskeyRegistration(
  input: PasskeyAttestation,
  challenge: string,
  publicUrl: URL,
) {
  const { verifyRegistrationResponse } = await loadLibrary();
  const { registrationInfo } = await verifyRegistrationResponse({
    response: dropUndefined(input),
    expectedChallenge: challenge,
    expectedOrigin: publicUrl.origin,
    expectedRPID: publicUrl.hostname,
    requireUserVerification: true,
    supportedAlgorithmIDs: PASSKEY_ALGORITHMS,
  }).catch(() => ({ registrationInfo: undefined }));
  if (!registrationInfo) return null;
  const { id, publicKey, counter } = registrationInfo.credential;
  return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter };
}

type StoredPasskey = { credentialId: string; publicKey: string; counter: number };

/** @returns the passkey's new counter, or null if the response is invalid */
export async function verifyPasskeyAuthentication(
  input: PasskeyAssertion,
  challenge: string,
  storedPasskey: StoredPasskey,
  publicUrl: URL,
) {
  const { verifyAuthenticationResponse } = await loadLibrary();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: dropUndefined(input),
    expectedChallenge: challenge,
    expectedOrigin: publicUrl.origin,
    expectedRPID: publicUrl.hostname,
    requireUserVerification: true,
    credential: {
      id: storedPasskey.credentialId,
      publicKey: new Uint8Array(Buffer.from(storedPasskey.publicKey, 'base64url')),
      counter: storedPasskey.counter,
    },
  }).catch(() => ({ verified: false, authenticationInfo: undefined }));
  return verified && authenticationInfo ? { counter: authenticationInfo.newCounter } : null;
}

/** Removes undefined fields. Our types allow them, but those of the library don't. */
const dropUndefined = <T>(input: T) => JSON.parse(JSON.stringify(input)) as never;
