import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import type { PasskeyAttestation, PasskeyAssertion } from '#features/accounts/passkeys/contract.ts';

type Creation = { challenge: string; rp: { id: string }; user: { id: string } };
type Request = { challenge: string; rpId: string };

/** Deviations from a correct WebAuthn response. */
type Deviations = {
  /** Origin of the page that made the request. */
  origin?: string;
  /** Domain that the passkey belongs to. */
  rpId?: string;
  /** Whether the device verified its owner. */
  isVerified?: boolean;
  counter?: number;
  userHandle?: string;
};

/** A fake of a phone's WebAuthn authenticator. It creates one ES256 passkey and signs with it. */
export class FakeAuthenticator {
  readonly id = randomBytes(16).toString('base64url');
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject };
  readonly #origin: string;
  #counter = 0;
  #userHandle = '';

  constructor(origin: string) {
    this.#origin = origin;
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  create({ challenge, rp, user }: Creation, odd: Deviations = {}): PasskeyAttestation {
    this.#userHandle = user.id;
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const key = map(
      [number(1), number(2)],
      [number(3), number(-7)],
      [number(-1), number(1)],
      [number(-2), bytes(Buffer.from(x, 'base64url'))],
      [number(-3), bytes(Buffer.from(y, 'base64url'))],
    );
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, id, key]);
    const authData = Buffer.concat([this.#data(odd.rpId ?? rp.id, 0x40, odd), credential]);
    const attestation = map(
      [text('fmt'), text('none')],
      [text('attStmt'), map()],
      [text('authData'), bytes(authData)],
    );
    return {
      ...this.#credential,
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge, odd).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  answer({ challenge, rpId }: Request, odd: Deviations = {}): PasskeyAssertion {
    const authData = this.#data(odd.rpId ?? rpId, 0, odd);
    const clientData = this.#clientData('webauthn.get', challenge, odd);
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    return {
      ...this.#credential,
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: createSign('sha256').update(signed).sign(this.#keys.privateKey).toString('base64url'),
        userHandle: odd.userHandle ?? this.#userHandle,
      },
    };
  }

  get #credential() {
    return { id: this.id, rawId: this.id, type: 'public-key' as const, clientExtensionResults: {} };
  }

  #clientData = (type: string, challenge: string, { origin = this.#origin }: Deviations) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  #data(rpId: string, flags: number, { isVerified = true, counter = (this.#counter += 1) }: Deviations) {
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(counter);
    const present = 0x01 | (isVerified ? 0x04 : 0) | flags;
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([present]), counted]);
  }
}

// Encoders for the part of CBOR (RFC 8949) that passkeys need.
const head = (major: number, value: number) =>
  Buffer.from(
    value < 24
      ? [(major << 5) | value]
      : value < 256
        ? [(major << 5) | 24, value]
        : [(major << 5) | 25, value >> 8, value & 255],
  );
const number = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value));
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value]);
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const map = (...entries: [Buffer, Buffer][]) => Buffer.concat([head(5, entries.length), ...entries.flat()]);
