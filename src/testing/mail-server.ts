import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export type ReceivedMail = {
  to: string[];
  from: string;
  mail: ParsedMail;
  raw: string;
  secure: boolean;
  user: string;
};

/** A simulated failure: an SMTP status and its message. */
export type SmtpRejection = { code: number; message: string };

export type MailServerOptions = {
  port?: number;
  login?: { user: string; password: string };
  /** Whether to offer STARTTLS, with a self-signed certificate. */
  tls?: boolean;
  refuseSender?: () => SmtpRejection | null;
  refuseRecipient?: (address: string) => SmtpRejection | null;
  refuseMail?: () => SmtpRejection | null;
  /** Returns whether to drop the connection after an email has arrived but before the server confirms it. */
  dropsAtEnd?: () => boolean;
  /** Awaited before an email is accepted. */
  beforeAccept?: () => Promise<void>;
};

/** Starts a real local SMTP server that collects what arrives. */
export async function startMailServer(plan: MailServerOptions = {}) {
  const arrived: ReceivedMail[] = [];
  const answer = (refusal: SmtpRejection | null | undefined) =>
    refusal ? Object.assign(new Error(refusal.message), { responseCode: refusal.code }) : null;
  const options: SMTPServerOptions = {
    authOptional: !plan.login,
    disabledCommands: [...(plan.tls ? [] : ['STARTTLS']), ...(plan.login ? [] : ['AUTH'])],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onAuth: (given, _session, done) => {
      const isRight = given.username === plan.login?.user && given.password === plan.login?.password;
      // Repeats the password, because real servers sometimes include the client's input in an error.
      if (isRight) done(null, { user: given.username });
      else done(answer({ code: 535, message: `not ${given.password}` }));
    },
    onMailFrom: (_address, _session, done) => done(answer(plan.refuseSender?.())),
    onRcptTo: ({ address }, _session, done) => done(answer(plan.refuseRecipient?.(address))),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        void (async () => {
          await plan.beforeAccept?.();
          if (plan.dropsAtEnd?.()) {
            for (const connection of server.connections) connection._socket.destroy();
            return;
          }
          const refusal = answer(plan.refuseMail?.());
          if (refusal) return done(refusal);
          const raw = Buffer.concat(chunks);
          arrived.push({
            to: session.envelope.rcptTo.map(({ address }) => address),
            from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
            mail: await simpleParser(raw),
            raw: raw.toString('utf8'),
            secure: session.secure,
            user: String(session.user ?? ''),
          });
          done();
        })();
      });
    },
  };
  const server = new SMTPServer(options);
  // Ignores errors, because some tests let a client disconnect.
  server.on('error', () => undefined);
  server.listen(plan.port ?? 0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const login = plan.login ? `${plan.login.user}:${plan.login.password}@` : '';
  return {
    arrived,
    port,
    url: `smtp://${login}127.0.0.1:${port}`,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
