import type { SendMailOptions } from 'nodemailer';
import type { MailFrom } from './address.ts';
import { DeliveryFailure } from './delivery.ts';
import type { DueMail } from './queue.ts';

/**
 * A mail as nodemailer takes it. Identical on each attempt, including the Message-ID: if it is delivered twice, because
 * a worker died before recording the server's reply, mail programs can detect the duplicate.
 * @throws DeliveryFailure for an address that would be several, or more than an address
 */
export function messageOf(mail: DueMail, from: MailFrom): SendMailOptions {
  // nodemailer would guess an address from it, possibly somebody else's.
  if (!ONE_ADDRESS.test(mail.recipient)) {
    throw new DeliveryFailure('The address cannot be used.', { isFinal: true, cause: null });
  }
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    from,
    // As an object: a comma in it does not make two.
    to: { name: '', address: mail.recipient },
    envelope: { from: from.address, to: [mail.recipient] },
    subject: oneLine(mail.subject),
    text: mail.text ?? '',
    html: mail.html ?? '',
    messageId: `<${mail.id}.${mail.createdAt.getTime()}@${domain}>`,
    date: mail.createdAt,
    headers: { ...NO_REPLIES, ...unsubscribing(mail.unsubscribeUrl) },
    // Readable in a file too, and expected by the outbox.
    textEncoding: 'quoted-printable',
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Prevents out-of-office replies. */
const NO_REPLIES = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/** What a mail program needs for a button of its own to unsubscribe: by https in one click (RFC 8058), else by the page. */
function unsubscribing(url: string | null) {
  if (url === null) return {};
  return {
    // On one line: nodemailer would break it after the colon, which not every provider reads.
    'List-Unsubscribe': { prepared: true, value: `<${url}>` },
    ...(url.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  };
}

/** No list separators, display names or comments. */
const ONE_ADDRESS = /^[^\p{Cc}\s<>()[\]\\,;:"@]+@[^\p{Cc}\s<>()\\,;"@]+$/u;

const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
