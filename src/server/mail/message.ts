import type { SendMailOptions } from 'nodemailer';
import type { MailFrom } from './address.ts';
import { DeliveryError } from './delivery.ts';
import type { DueMail } from './queue.ts';

/**
 * Converts a mail for nodemailer. The result is identical on each attempt, including the Message-ID: if the mail is
 * delivered twice, because a worker died before recording the server's reply, mail programs can detect the
 * duplicate.
 * @throws DeliveryError if the address isn't exactly one address
 */
export function toNodemailerMessage(mail: DueMail, from: MailFrom): SendMailOptions {
  // nodemailer would extract an address from it, possibly somebody else's.
  if (!ONE_ADDRESS.test(mail.recipient)) {
    throw new DeliveryError('This isn’t a valid email address.', { isFinal: true, cause: null });
  }
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    from,
    // Passed as an object, so that a comma in it doesn't turn it into two addresses.
    to: { name: '', address: mail.recipient },
    envelope: { from: from.address, to: [mail.recipient] },
    subject: toOneLine(mail.subject),
    text: mail.text ?? '',
    html: mail.html ?? '',
    messageId: `<${mail.id}.${mail.createdAt.getTime()}@${domain}>`,
    date: mail.createdAt,
    headers: { ...NO_REPLY_HEADERS, ...createUnsubscribeHeaders(mail.unsubscribeUrl) },
    // Readable in a file too, and required by the outbox.
    textEncoding: 'quoted-printable',
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Prevents out-of-office replies. */
const NO_REPLY_HEADERS = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/**
 * Headers for the unsubscribe button of mail programs: https addresses accept one click (RFC 8058), others open the
 * page.
 */
function createUnsubscribeHeaders(url: string | null) {
  if (url === null) return {};
  return {
    // On one line, because nodemailer would break it after the colon, which not every provider can read.
    'List-Unsubscribe': { prepared: true, value: `<${url}>` },
    ...(url.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  };
}

/** A single address, without list separators, display names or comments. */
const ONE_ADDRESS = /^[^\p{Cc}\s<>()[\]\\,;:"@]+@[^\p{Cc}\s<>()\\,;"@]+$/u;

const toOneLine = (text: string) => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
