import { createTransport } from 'nodemailer';
import type { MailFrom, MailServer } from './address.ts';
import type { MailTransport } from './delivery.ts';
import { toNodemailerMessage } from './message.ts';
import { toDeliveryError } from './smtp-error.ts';

const SECOND_MS = 1000;

/** Submits mail to a server, with a new connection for each mail. */
export function createSmtpTransport(server: MailServer, from: MailFrom): MailTransport {
  const transport = createTransport(getTransportOptions(server));
  return {
    async deliver(mail, signal) {
      const message = toNodemailerMessage(mail, from);
      try {
        await transport.sendMail({ ...message, dsn: BOUNCE_OPTIONS, signal });
      } catch (error) {
        throw toDeliveryError(error);
      }
      return { outboxFile: null };
    },
    retract: () => Promise.resolve(),
  };
}

/** Asks servers to return only the headers of an undeliverable mail, because its content may include a password. */
const BOUNCE_OPTIONS = { return: 'headers', notify: 'failure' } as const;

/**
 * Returns the connection options for a server. TLS is used whenever it is offered, and a password leaves this
 * machine only over TLS. On localhost nobody can listen in, and a local mail server's certificate is usually
 * self-signed.
 */
export function getTransportOptions({ host, port, secure, login }: MailServer) {
  const isHere = host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
  return {
    host,
    port,
    secure,
    requireTLS: !secure && login !== null && !isHere,
    ...(isHere && { tls: { rejectUnauthorized: false } }),
    ...(login && { auth: { user: login.user, pass: login.password } }),
    dnsTimeout: 20 * SECOND_MS,
    connectionTimeout: 20 * SECOND_MS,
    greetingTimeout: 30 * SECOND_MS,
    socketTimeout: 60 * SECOND_MS,
    // nodemailer's log would include the content of mails.
    logger: false,
    debug: false,
  } as const;
}
