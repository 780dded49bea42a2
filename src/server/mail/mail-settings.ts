import { z } from 'zod';

/** Mail server that accepts our emails. */
export type MailServer = {
  host: string;
  port: number;
  /** Whether to use TLS from the first byte. Otherwise STARTTLS is used, if the server offers it. */
  secure: boolean;
  login: { user: string; password: string } | null;
};

/** Sender. The name may be empty. */
export type MailSender = { name: string; address: string };

/** Default ports for email submission (RFC 8314), by URL scheme. */
const DEFAULT_PORTS = { 'smtp:': 587, 'smtps:': 465 };

const EXPECTED_FORM = 'must be an address like smtp://user:password@mail.example.org:587';

/**
 * Parses `smtp://…` or `smtps://…`, with user and password percent-encoded.
 * @throws Error whose message continues a sentence that starts with the variable's name. It never repeats the
 * value, which contains a password.
 */
export function parseMailServer(value: string): MailServer {
  // Also checks the parts of the URL, because an unencoded character in the password can end the host part
  // early and still leave a valid URL.
  const url = URL.parse(value);
  if (!url || !(url.protocol in DEFAULT_PORTS) || url.hostname === '' || url.port === '0')
    throw new Error(EXPECTED_FORM);
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') {
    throw new Error(
      `${EXPECTED_FORM}, with nothing after it; write '#', '?', '/' and '%' of a password as %23, %3F, …`,
    );
  }
  const protocol = url.protocol as keyof typeof DEFAULT_PORTS;
  return {
    host: url.hostname.replaceAll(/[[\]]/g, ''),
    port: url.port === '' ? DEFAULT_PORTS[protocol] : Number(url.port),
    secure: protocol === 'smtps:',
    login: parseLogin(url),
  };
}

function parseLogin({ username, password }: URL): MailServer['login'] {
  if (username === '' && password === '') return null;
  if (username === '' || password === '')
    throw new Error(`${EXPECTED_FORM}: a user and a password, or neither`);
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    throw new Error(`${EXPECTED_FORM}; write '%' of a password as %25`);
  }
}

/**
 * Parses `songs@example.org` or `Name <songs@example.org>`.
 * @throws Error whose message continues a sentence that starts with the variable's name
 */
export function parseMailSender(value: string): MailSender {
  const parts = /^(?:(?<name>[^<>]*)<(?<inner>[^<>]+)>|(?<bare>[^<>]+))$/.exec(value.trim())?.groups;
  const address = z
    .email()
    .max(254)
    .safeParse((parts?.inner ?? parts?.bare ?? '').trim());
  const name = (parts?.name ?? '').trim().replace(/^"(.*)"$/, '$1');
  if (!address.success || /\p{Cc}/u.test(name)) {
    throw new Error("must be an address, or a name and an address: 'Songs <songs@example.org>'");
  }
  return { name, address: address.data };
}
