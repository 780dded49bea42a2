import type { AuditEntry } from '../contract.ts';

/** Returns an entry as a sentence: 'Khandro-la granted Refuge to Tashi Dolma'. */
export const formatAuditMessage = (entry: AuditEntry) => `${entry.actorName} ${describeAction(entry)}`;

function describeAction({ action, subjectName, detail, count }: AuditEntry): string {
  const of = count > 1 ? `${count.toLocaleString('en')} people` : subjectName;
  // The detail is null if the entries of a bulk action have different details.
  const what = detail ? `: ${detail}` : '';
  const withLevels = detail ? `, with ${detail}` : '';
  switch (action) {
    case 'request-approved':
      return `approved the request from ${of}${withLevels}`;
    case 'request-deleted':
      return `deleted the request from ${of}`;
    case 'user-created':
      return `created an account for ${of}${withLevels}`;
    case 'teacher-created':
      return `created a teacher account for ${of}`;
    case 'user-invited':
      return `invited ${of}${withLevels}`;
    case 'user-enabled':
      return `enabled the ${count > 1 ? 'accounts' : 'account'} of ${of}`;
    case 'user-disabled':
      return `disabled the ${count > 1 ? 'accounts' : 'account'} of ${of}`;
    case 'user-deleted':
      return `deleted ${of} and all their data`;
    case 'user-changed':
      return `changed the account of ${of}: ${detail}`;
    case 'level-granted':
      return `granted ${detail} to ${of}`;
    case 'level-revoked':
      return `revoked ${detail} from ${of}`;
    case 'level-added':
      return `added the level ${of}`;
    case 'level-changed':
      return detail ? `renamed the level ${of} to ${detail}` : `changed the description of the level ${of}`;
    case 'level-deleted':
      return `deleted the level ${of}`;
    case 'password-issued':
      return `created ${count > 1 ? 'new passwords' : 'a new password'} for ${of}`;
    case 'password-reset':
      return 'chose a new password using an emailed link';
    case 'sign-in-code-shown':
      return `created a sign-in code for ${of}`;
    case 'passkey-added':
      return `added the passkey ${detail} to the account of ${of}`;
    case 'passkey-removed':
      return `removed ${detail ? `the passkey ${detail}` : 'all passkeys'} from the account of ${of}`;
    case 'passkey-asked-for':
      return `turned on the passkey check at sign-in for ${of}`;
    case 'passkey-not-asked-for':
      return `turned off the passkey check at sign-in for ${of}`;
    case 'mail-opened':
      return `opened the ${count > 1 ? 'emails' : 'email'} to ${of}${what}`;
    case 'mail-passed-on':
      return `passed on the ${count > 1 ? 'emails' : 'email'} to ${of}${what}`;
    case 'student-exported':
      return `downloaded all data of ${of}`;
    case 'library-exported':
      return `downloaded the library of ${of}`;
    case 'backup-restored':
      return `restored the backup from ${of}`;
    case 'passage-asked':
      return `asked ${of} to share a passage: ${detail}`;
    case 'passage-agreed':
      return `agreed to share a passage: ${detail}`;
    case 'passage-declined':
      return `declined to share a passage: ${detail}`;
    case 'passage-revoked':
      return `stopped sharing a passage: ${detail}`;
    case 'passage-withdrawn':
      return `stopped sharing a passage by ${of}: ${detail}`;
  }
}
