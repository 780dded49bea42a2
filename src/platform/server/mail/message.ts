import type { SendMailOptions } from 'nodemailer';
import type { MailFrom } from './address.ts';
import { DeliveryFailure } from './delivery.ts';
import type { DueMail } from './due.ts';

/**
 * A mail as nodemailer takes it. The same at each try, the Message-ID too: who gets it twice, because a worker died
 * between the server's answer and writing it down, has a mail program that can tell.
 * @throws DeliveryFailure for an address that would be more than one, or more than an address
 */
export function messageOf(mail: DueMail, from: MailFrom): SendMailOptions {
  // nodemailer would make an address of it as best it can, and it might be somebody's.
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
    // No absence note answers it.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    // Readable in a file too, and what the outbox reads.
    textEncoding: 'quoted-printable',
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** None of the characters by which several are told apart, named or remarked upon. */
const ONE_ADDRESS = /^[^\p{Cc}\s<>()[\]\\,;:"@]+@[^\p{Cc}\s<>()\\,;"@]+$/u;

const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
