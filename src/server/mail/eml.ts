/**
 * The plain text of a mail written by this program: the first part of type text/plain.
 * @param eml one character per byte (latin1)
 * @returns null if it is not such a mail
 */
export function textOfEml(eml: string): string | null {
  const boundary = /^Content-Type: multipart\/alternative;\s+boundary="([^"]+)"/im.exec(eml)?.[1];
  if (boundary === undefined) return null;
  for (const part of eml.split(`--${boundary}`).slice(1)) {
    const end = part.indexOf('\r\n\r\n');
    const head = part.slice(0, end);
    if (end < 0 || !/^Content-Type: text\/plain/im.test(head)) continue;
    // The line break before a boundary belongs to the boundary.
    const body = part.slice(end + 4).replace(/\r\n$/, '');
    return decoders[/^Content-Transfer-Encoding: (\S+)/im.exec(head)?.[1] ?? '7bit']?.(body) ?? null;
  }
  return null;
}

// nodemailer leaves text as it is if it needs no encoding.
const decoders: Record<string, (encoded: string) => string> = {
  '7bit': (plain) => plain.replaceAll('\r\n', '\n'),
  'quoted-printable': fromQuotedPrintable,
};

function fromQuotedPrintable(encoded: string) {
  const bytes = encoded
    .replaceAll(/=[ \t]*\r\n/g, '')
    .replaceAll('\r\n', '\n')
    .replaceAll(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
