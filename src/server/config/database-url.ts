const SCHEMES = ['postgres:', 'postgresql:'];

/**
 * Validates the address of a PostgreSQL server.
 * @throws Error with the end of a sentence that begins with the variable's name; it never repeats the value
 */
export function parseDatabaseUrl(value: string): string {
  // Several hosts with ports are no URL for a parser.
  const [, authority = ''] = /^postgres(?:ql)?:\/\/([^/?#]*)/.exec(value) ?? [];
  if (authority.slice(authority.lastIndexOf('@') + 1).includes(',')) throw new Error(SEVERAL);
  const url = URL.parse(value);
  if (!url || !SCHEMES.includes(url.protocol))
    throw new Error(
      `must be an address that begins with ${SCHEMES.map((scheme) => `${scheme}//`).join(' or ')}`,
    );
  const { searchParams } = url;
  if (searchParams.get('host')?.includes(',')) throw new Error(SEVERAL);
  // The driver knows nothing of it.
  if ((searchParams.get('target_session_attrs') ?? 'any') !== 'any') throw new Error(TARGET_SESSION);
  return value;
}

const SEVERAL =
  'names several servers, and the program connects to one; name an address that always leads to the server that ' +
  'accepts writes, such as a virtual IP address, or HAProxy in front of them';

const TARGET_SESSION =
  'must not set target_session_attrs; leave it out, because the program needs a server that accepts writes in any case: ' +
  'one that does not is refused at the start, and answered with 503 later';
