import type { AuditEntry } from '../contract.ts';

/** Returns an entry as a sentence: 'Khandro-la granted Refuge to Tashi Dolma'. */
export const formatAuditMessage = (entry: AuditEntry) => `${entry.actorName} ${describeAction(entry)}`;

function describeAction({ action, subjectName, detail, count }: AuditEntry): string {
  const subject = count > 1 ? `${count.toLocaleString('en')} people` : subjectName;
  // The detail is null if the entries of a bulk action have different details.
  const what = detail ? `: ${detail}` : '';
  const withLevels = detail ? `, with ${detail}` : '';
  switch (action) {
    case 'request-approved':
      return `approved the request from ${subject}${withLevels}`;
    case 'request-deleted':
      return `deleted the request from ${subject}`;
    case 'user-created':
      return `created an account for ${subject}${withLevels}`;
    case 'teacher-created':
      return `created a teacher account for ${subject}`;
    case 'user-invited':
      return `invited ${subject}${withLevels}`;
    case 'user-enabled':
      return `enabled the ${count > 1 ? 'accounts' : 'account'} of ${subject}`;
    case 'user-disabled':
      return `disabled the ${count > 1 ? 'accounts' : 'account'} of ${subject}`;
    case 'user-deleted':
      return `deleted ${subject} and all their data`;
    case 'user-changed':
      return `changed the account of ${subject}: ${detail}`;
    case 'level-granted':
      return `granted ${detail} to ${subject}`;
    case 'level-revoked':
      return `revoked ${detail} from ${subject}`;
    case 'level-added':
      return `added the level ${subject}`;
    case 'level-changed':
      return detail
        ? `renamed the level ${subject} to ${detail}`
        : `changed the settings of the level ${subject}`;
    case 'level-deleted':
      return `deleted the level ${subject}`;
    case 'password-issued':
      return `created ${count > 1 ? 'new passwords' : 'a new password'} for ${subject}`;
    case 'password-reset':
      return 'chose a new password using an emailed link';
    case 'sign-in-code-shown':
      return `created a sign-in code for ${subject}`;
    case 'passkey-added':
      return `added the passkey ${detail} to the account of ${subject}`;
    case 'passkey-removed':
      return `removed ${detail ? `the passkey ${detail}` : 'all passkeys'} from the account of ${subject}`;
    case 'passkey-asked-for':
      return `turned on the passkey check at sign-in for ${subject}`;
    case 'passkey-not-asked-for':
      return `turned off the passkey check at sign-in for ${subject}`;
    case 'mail-opened':
      return `opened the ${count > 1 ? 'emails' : 'email'} to ${subject}${what}`;
    case 'mail-passed-on':
      return `passed on the ${count > 1 ? 'emails' : 'email'} to ${subject}${what}`;
    case 'student-exported':
      return `downloaded all data of ${subject}`;
    case 'library-exported':
      return `downloaded the library of ${subject}`;
    case 'backup-restored':
      return `restored the backup from ${subject}`;
    case 'passage-asked':
      return `asked ${subject} to share a passage: ${detail}`;
    case 'passage-agreed':
      return `agreed to share a passage: ${detail}`;
    case 'passage-declined':
      return `declined to share a passage: ${detail}`;
    case 'passage-revoked':
      return `stopped sharing a passage: ${detail}`;
    case 'passage-withdrawn':
      return `stopped sharing a passage by ${subject}: ${detail}`;
  }
}
