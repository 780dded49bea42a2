// The pack is encrypted with a key that scripts can't export. Whatever remains without the key, for example
// after an interrupted deletion, is unreadable.

export type EncryptedBytes = { iv: Uint8Array<ArrayBuffer>; bytes: ArrayBuffer };

const ALGORITHM = 'AES-GCM';
const IV_BYTES = 12;

export const generatePackKey = () =>
  crypto.subtle.generateKey({ name: ALGORITHM, length: 256 }, false, ['encrypt', 'decrypt']);

/** @param place identifies the content and its position; decrypting it for another place fails */
export async function encryptPackBytes(
  key: CryptoKey,
  place: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<EncryptedBytes> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  return { iv, bytes: await crypto.subtle.encrypt(getParameters(iv, place), key, bytes) };
}

/** @throws if the content has been changed, or was encrypted with another key or for another place */
export const decryptPackBytes = async (key: CryptoKey, place: string, { iv, bytes }: EncryptedBytes) =>
  new Uint8Array(await crypto.subtle.decrypt(getParameters(iv, place), key, bytes));

const getParameters = (iv: Uint8Array<ArrayBuffer>, place: string) => ({
  name: ALGORITHM,
  iv,
  additionalData: new TextEncoder().encode(place),
});
