import type { SendMailOptions } from 'nodemailer';
import type { MailSender } from './mail-settings.ts';
import { MailDeliveryError } from './mail-transport.ts';
import type { LeasedMail } from './queue.ts';

/**
 * Converts an email for nodemailer. The result is identical on each retry, including the Message-ID, so
 * that mail programs can detect the duplicate that is sent if a worker dies before it records the server's
 * reply.
 * @throws MailDeliveryError if the recipient isn't exactly one address
 */
export function toNodemailerMessage(mail: LeasedMail, from: MailSender): SendMailOptions {
  // Rejects an invalid recipient, because nodemailer would extract an address from it, possibly somebody
  // else's.
  if (!ONE_ADDRESS.test(mail.recipient)) {
    throw new MailDeliveryError('This isn’t a valid email address.', { isFinal: true, cause: null });
  }
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    from,
    // Passed as an object, so that nodemailer doesn't split the address at a comma.
    to: { name: '', address: mail.recipient },
    envelope: { from: from.address, to: [mail.recipient] },
    subject: toOneLine(mail.subject),
    text: mail.text ?? '',
    html: mail.html ?? '',
    messageId: `<${mail.id}.${mail.createdAt.getTime()}@${domain}>`,
    date: mail.createdAt,
    headers: { ...NO_REPLY_HEADERS, ...createUnsubscribeHeaders(mail.unsubscribeUrl) },
    // Quoted-printable is readable in the raw file, and the outbox can decode it.
    textEncoding: 'quoted-printable',
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Headers that prevent out-of-office replies. */
const NO_REPLY_HEADERS = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/**
 * Creates headers for the unsubscribe button of mail programs. An https URL allows unsubscribing with one
 * click (RFC 8058); for any other URL, the mail program opens the page.
 */
function createUnsubscribeHeaders(url: string | null) {
  if (url === null) return {};
  return {
    // Kept on one line, because nodemailer would break the line after the colon, and not every provider can
    // read such a header.
    'List-Unsubscribe': { prepared: true, value: `<${url}>` },
    ...(url.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  };
}

/** Pattern of a single address, without list separators, display names or comments. */
const ONE_ADDRESS = /^[^\p{Cc}\s<>()[\]\\,;:"@]+@[^\p{Cc}\s<>()\\,;"@]+$/u;

const toOneLine = (text: string) => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
