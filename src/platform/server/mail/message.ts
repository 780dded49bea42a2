import type { SendMailOptions } from 'nodemailer';
import type { MailFrom } from './address.ts';
import type { DueMail } from './due.ts';

/**
 * A mail as nodemailer takes it. The same at each try, the Message-ID too: who gets it twice, because a worker died
 * between the server's answer and writing it down, has a mail program that can tell.
 */
export function messageOf(mail: DueMail, from: MailFrom): SendMailOptions {
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
    // Readable in a file too, and the one encoding that the outbox reads.
    textEncoding: 'quoted-printable',
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
