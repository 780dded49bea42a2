import { createTransport } from 'nodemailer';
import type { MailFrom, MailServer } from './address.ts';
import type { Delivery } from './delivery.ts';
import { messageOf } from './message.ts';
import { smtpFailure } from './reasons.ts';

const SECOND_MS = 1000;

/** Submits mail to a server, with a new connection for each. */
export function smtpDelivery(server: MailServer, from: MailFrom): Delivery {
  const transport = createTransport(transportTo(server));
  return {
    async deliver(mail, signal) {
      const message = messageOf(mail, from);
      try {
        await transport.sendMail({ ...message, dsn: BOUNCES, signal });
      } catch (error) {
        throw smtpFailure(error);
      }
      return { outboxFile: null };
    },
    retract: () => Promise.resolve(),
  };
}

/** Of a mail that can't be delivered after all, a server returns the headers alone: what it said may be a password. */
const BOUNCES = { return: 'headers', notify: 'failure' } as const;

/**
 * Connection options for a server. TLS is used wherever it is offered, and a password leaves this machine over TLS
 * only. On localhost there is nobody to hide from, and a local mail server's certificate is usually self-signed.
 */
export function transportTo({ host, port, secure, login }: MailServer) {
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
    // nodemailer's log would include the content of the mail.
    logger: false,
    debug: false,
  } as const;
}
