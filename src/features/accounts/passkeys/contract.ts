import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';
import { numericId, messageBody, createRequiredSingleLineTextSchema, timestamp } from '#shared/schemas.ts';
import { MAX_PASSKEY_NAME_LENGTH, MAX_PASSKEYS } from './limits.ts';

// Requests and responses in the JSON format of WebAuthn Level 3. Fields that are not listed here are dropped.

const base64url = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/);
const credential = { id: base64url(700), rawId: base64url(700), type: z.enum(['public-key']) };

/** Authenticator's response to a challenge. Proves that it has the passkey and has verified the user. */
export const passkeyAssertion = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url(1000),
      authenticatorData: base64url(500),
      signature: base64url(700),
      userHandle: base64url(100).optional(),
    }),
    clientExtensionResults: z.object({}),
  })
  .meta({ id: 'PasskeyAnswer' });
export type PasskeyAssertion = z.output<typeof passkeyAssertion>;

export const passkeyAttestation = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url(1000),
      attestationObject: base64url(5000),
      transports: z.array(z.string().max(20)).max(10).optional(),
    }),
    clientExtensionResults: z.object({}),
  })
  .meta({ id: 'NewPasskey' });
export type PasskeyAttestation = z.output<typeof passkeyAttestation>;

const credentialDescriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()).optional(),
});

const userVerification = z.literal('required');

const passkey = z
  .object({ id: z.int(), name: z.string(), createdAt: timestamp, usedAt: timestamp.nullable() })
  .meta({ id: 'Passkey' });

const name = createRequiredSingleLineTextSchema(MAX_PASSKEY_NAME_LENGTH, 'Please give the passkey a name.');

export const passkeysApi = {
  challenge: defineEndpoint({
    method: 'POST',
    path: '/api/passkeys/challenge',
    access: 'public',
    summary: 'A challenge for an authenticator; valid for one answer within five minutes.',
    answers: {
      200: z
        .object({
          challenge: z.string(),
          rpId: z.string(),
          timeout: z.int(),
          userVerification,
        })
        .meta({ id: 'PasskeyChallenge' }),
    },
    refusals: { 429: 'Too many challenges for one address' },
  }),
  list: defineEndpoint({
    method: 'GET',
    path: '/api/user/passkeys',
    access: 'signed-in',
    summary: "The caller's passkeys, newest first.",
    answers: { 200: z.array(passkey).max(MAX_PASSKEYS) },
  }),
  beginAdding: defineEndpoint({
    method: 'POST',
    path: '/api/user/passkeys/challenge',
    access: 'signed-in',
    needsFreshProof: 'signed-in',
    summary: 'Options for creating a passkey for the caller; valid for one answer within five minutes.',
    answers: {
      200: z
        .object({
          challenge: z.string(),
          rp: z.object({ id: z.string(), name: z.string() }),
          user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
          pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
          timeout: z.int(),
          attestation: z.literal('none'),
          excludeCredentials: z.array(credentialDescriptor),
          authenticatorSelection: z.object({ residentKey: z.literal('required'), userVerification }),
        })
        .meta({ id: 'PasskeyCreation' }),
    },
    refusals: {
      409: 'The caller has the maximum number of passkeys',
      429: 'Too many challenges',
    },
  }),
  add: defineEndpoint({
    method: 'POST',
    path: '/api/user/passkeys',
    access: 'signed-in',
    needsFreshProof: 'signed-in',
    summary: 'Adds the passkey that a browser created.',
    body: z.object({ name, passkey: passkeyAttestation }),
    answers: { 201: passkey },
    refusals: {
      400: 'The answer does not match the challenge',
      409: 'The passkey is already registered, or the caller has the maximum number',
    },
  }),
  rename: defineEndpoint({
    method: 'PUT',
    path: '/api/user/passkeys/{id}',
    access: 'signed-in',
    summary: "Renames one of the caller's passkeys.",
    params: z.object({ id: numericId }),
    body: z.object({ name }),
    answers: { 200: passkey },
    refusals: { 404: 'Unknown passkey' },
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/api/user/passkeys/{id}',
    access: 'signed-in',
    needsFreshProof: 'signed-in',
    summary: "Removes one of the caller's passkeys.",
    params: z.object({ id: numericId }),
    answers: { 200: messageBody },
    refusals: { 404: 'Unknown passkey', 409: 'The last passkey of a caller who must use one' },
  }),
  dismissSuggestion: defineEndpoint({
    method: 'DELETE',
    path: '/api/user/passkey-suggestion',
    access: 'signed-in',
    summary: 'Permanently dismisses the suggestion to add a passkey.',
    answers: { 200: messageBody },
  }),
  askAfterPassword: defineEndpoint({
    method: 'PUT',
    path: '/api/user/passkey-second-factor',
    access: 'admin',
    summary:
      'Whether the caller must use a passkey after the password, an emailed link or a code. Changing it needs a passkey.',
    body: z.object({ isOn: z.boolean(), passkey: passkeyAssertion }),
    answers: { 200: messageBody },
    refusals: { 400: 'The passkey is invalid or belongs to another user' },
  }),
  removeAllOf: defineEndpoint({
    method: 'DELETE',
    path: '/api/admin/users/{id}/passkeys',
    access: 'admin',
    needsFreshProof: 'admin',
    summary: 'Removes all passkeys of a student.',
    params: z.object({ id: z.uuid() }),
    answers: { 200: messageBody },
    refusals: { 403: 'The user is an admin', 404: 'Unknown user' },
  }),
};
