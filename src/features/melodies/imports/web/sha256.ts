/** In hexadecimal digits; null where the page is not secure, or the file cannot be read. */
export async function sha256Of(file: Blob): Promise<string | null> {
  const subtle = (crypto as Partial<Crypto>).subtle;
  if (!subtle) return null;
  try {
    const digest = new Uint8Array(await subtle.digest('SHA-256', await file.arrayBuffer()));
    return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  } catch {
    return null;
  }
}
