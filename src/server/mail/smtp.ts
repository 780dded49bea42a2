import { createTransport } from 'nodemailer';
import type { MailSender, MailServer } from './mail-settings.ts';
import type { MailTransport } from './mail-transport.ts';
import { toNodemailerMessage } from './message.ts';
import { toMailDeliveryError } from './smtp-error.ts';

const SECOND_MS = 1000;

/** Creates a transport that sends emails through a mail server, each over a new connection. */
export function createSmtpTransport(server: MailServer, from: MailSender): MailTransport {
  const transport = createTransport(getSmtpTransportOptions(server));
  return {
    async deliver(mail, signal) {
      const message = toNodemailerMessage(mail, from);
      try {
        await transport.sendMail({ ...message, dsn: BOUNCE_OPTIONS, signal });
      } catch (error) {
        throw toMailDeliveryError(error);
      }
      return { outboxFile: null };
    },
    retract: () => Promise.resolve(),
  };
}

/**
 * Requests that a bounce contains only the headers of the email, because its content may include a password.
 */
const BOUNCE_OPTIONS = { return: 'headers', notify: 'failure' } as const;

/**
 * Returns the connection options for a server. TLS is used whenever the server offers it, and the password is
 * sent to another machine only over TLS. On localhost, TLS and a valid certificate are not required: nobody
 * can listen in there, and the certificate of a local mail server is usually self-signed.
 */
export function getSmtpTransportOptions({ host, port, secure, login }: MailServer) {
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
    // nodemailer's log would include the content of emails.
    logger: false,
    debug: false,
  } as const;
}
