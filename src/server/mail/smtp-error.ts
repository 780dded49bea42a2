import { MailDeliveryError } from './mail-transport.ts';

/** Properties of nodemailer's errors. */
type SmtpError = Error & {
  code?: string;
  originalCode?: string;
  responseCode?: number;
  response?: string;
  command?: string;
};

/** Maximum length of a quoted server message. Anything longer is not helpful. */
const MAX_RESPONSE_LENGTH = 300;

/**
 * Converts an error from nodemailer. Only an invalid address, or a permanent rejection of the address or the
 * email, is final. Problems with the server, the password or the network can be fixed, so the email is
 * retried.
 */
export function toMailDeliveryError(thrown: unknown): MailDeliveryError {
  const error = thrown as SmtpError;
  const { reason, isFinal = false } = explainSmtpError(error);
  return new MailDeliveryError(reason, { isFinal, cause: withoutServerText(error) });
}

function explainSmtpError(error: SmtpError): { reason: string; isFinal?: boolean } {
  const isForGood = (error.responseCode ?? 0) >= 500;
  const said = quoteServer(error);
  switch (error.code ?? '') {
    case 'EENVELOPE':
      // nodemailer itself rejected the address, for example because it contains a line break.
      if (error.command === 'API') return { reason: 'This isn’t a valid email address.', isFinal: true };
      if (error.command === 'RCPT TO' && isForGood)
        return { reason: `The address was refused${said}`, isFinal: true };
      if (error.command === 'RCPT TO')
        return { reason: `The mail server isn’t accepting email for this address yet${said}` };
      if (error.command === 'MAIL FROM')
        return { reason: `The mail server doesn’t let us send email${said}` };
      return { reason: `The mail server didn’t accept the email${said}`, isFinal: isForGood };
    case 'EMESSAGE':
      return { reason: `The mail server didn’t accept the email${said}`, isFinal: isForGood };
    // Doesn't quote the server, because its reply to a login might repeat the password.
    case 'EAUTH':
    case 'ENOAUTH':
      return { reason: 'The mail server didn’t accept our username and password.' };
    case 'EDNS':
      return { reason: 'The mail server couldn’t be found: its name is unknown.' };
    case 'ETLS':
      return { reason: 'We couldn’t connect securely to the mail server.' };
    case 'ETIMEDOUT':
    case 'EABORT':
      return { reason: 'The mail server didn’t answer in time.' };
    case 'ESOCKET':
      if (isCertificateError(error)) return { reason: 'We couldn’t connect securely to the mail server.' };
      return { reason: 'The mail server couldn’t be reached.' };
    case 'ECONNECTION':
      return { reason: `The connection to the mail server was lost${said}` };
    case 'EPROTOCOL':
      return { reason: `The mail server sent an unexpected answer${said}` };
    default:
      return { reason: 'The email couldn’t be sent.' };
  }
}

function quoteServer({ response }: SmtpError) {
  const words = (response ?? '').replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  if (words === '') return '.';
  return `: ${words.length > MAX_RESPONSE_LENGTH ? `${words.slice(0, MAX_RESPONSE_LENGTH)} …` : words}`;
}

const isCertificateError = ({ originalCode = '' }: SmtpError) => /CERT|SSL|TLS|UNABLE_TO_/.test(originalCode);

/** Returns an error for the log, with the failed step and the codes but without the server's text. */
function withoutServerText({ code, originalCode, responseCode, command }: SmtpError) {
  const step = command?.split(' ')[0];
  return new Error([code, originalCode, step, responseCode].filter(Boolean).join(' ') || 'unknown');
}
