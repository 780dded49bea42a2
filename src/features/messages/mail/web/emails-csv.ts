import { toCsv } from '#shared/csv.ts';
import type { ApiResponse } from '#web/api/call.ts';
import { parseCredentials } from '../sign-in-details.ts';

export type MailWithText = ApiResponse<'POST /api/admin/mail/outbox/texts'>['mails'][number];

/** Creates a CSV file of the emails, one per row, for spreadsheets and mail merge. */
export const createEmailsCsv = (mails: readonly MailWithText[]) =>
  new Blob(
    [
      toCsv([
        ['Name', 'Email', 'Username', 'Password', 'Subject', 'Text'],
        ...mails.map(({ name, recipient, username, subject, text }) => [
          ...[name, recipient, username, parseCredentials(text)?.password ?? ''],
          ...[subject, text.trim()],
        ]),
      ]),
    ],
    { type: 'text/csv' },
  );

/** Returns the URL that opens an email in the teacher's own mail program, ready to send (RFC 6068). */
export function buildMailtoUrl(recipient: string, subject: string, text: string): string {
  const to = encodeURIComponent(recipient).replace('%40', '@');
  const body = encodeURIComponent(text.trim().replaceAll(/\r?\n/g, '\r\n'));
  return `mailto:${to}?subject=${encodeURIComponent(subject)}&body=${body}`;
}
