import type { Db } from '#server/db/database.ts';
import { AppError, createConflictError, createNotFoundError } from '#shared/errors.ts';
import { formatDisplayName } from '#shared/display-name.ts';
import { queueMail, wasMailQueued, deleteUndeliverableAndOutboxMail } from '#server/mail/queue.ts';
import { generatePassword, hashPassword } from '#server/auth/passwords.ts';
import type { Actor, AuditService } from '#features/audit/server/service.ts';
import { replacePassword } from '#features/accounts/passwords/server/service.ts';
import { composeCredentialsEmail, type CommunitySettings, type CredentialsEmailReason } from './emails.ts';
import * as store from './store.ts';

/**
 * A generated password and its hash. Hashing takes about 40 ms, so it should be done before a transaction
 * begins.
 */
export type NewPassword = { password: string; hashed: string };

export async function createNewPassword(): Promise<NewPassword> {
  const password = generatePassword();
  return { password, hashed: await hashPassword(password) };
}

type LockedUser = Awaited<ReturnType<typeof store.lockUsers>>[number];
type Deps = { db: Db; audit: AuditService; community: CommunitySettings };

/** Creates the service that issues passwords and sends the emails that contain them. */
export function createCredentialIssuer({ db, audit, community }: Deps) {
  async function mailNewPassword(
    tx: Db,
    user: LockedUser | undefined,
    actor: Actor,
    { password, hashed }: NewPassword,
    clientId: string | null = null,
  ) {
    if (!user) throw createNotFoundError('This user no longer exists');
    if (!user.isActive) throw accountDisabled();
    await replacePassword(tx, user.id, hashed, { isIssued: true });
    await queueMail(tx, { ...composeCredentialsEmail(community, user, password, 'again'), clientId });
    await audit.record(tx, actor, 'password-issued', formatDisplayName(user), null, clientId);
  }

  return {
    newCredentials: createNewPassword,

    /** Queues the email to a new user. It is sent only if the transaction commits. */
    mailCredentials: (
      tx: Db,
      user: Parameters<typeof composeCredentialsEmail>[1],
      password: string,
      occasion: Exclude<CredentialsEmailReason, 'again'>,
    ) => queueMail(tx, composeCredentialsEmail(community, user, password, occasion)),

    /**
     * Emails a user a new password. The old password and all links and codes stop working, and all of the
     * user's sessions end.
     * @param credentials from {@link createNewPassword}, so that the transaction doesn't wait for the
     *   hashing; created in the transaction if absent
     * @throws AppError 'not-found', or 'conflict' for a disabled user, who could not sign in with the
     *   password
     */
    async sendCredentialsAgain(tx: Db, userId: string, actor: Actor, credentials?: NewPassword) {
      const [user] = await store.lockUsers(tx, [userId]);
      await mailNewPassword(tx, user, actor, credentials ?? (await createNewPassword()));
    },

    /**
     * Creates a new password that the teacher hands over to a student, and returns it once. The previous
     * password stops working, all of the student's sessions end, and emails with earlier passwords are
     * deleted if they are undeliverable or in the outbox.
     * @throws AppError 'not-found', 'forbidden' for a teacher, 'conflict' for a disabled user
     */
    async issuePassword(userId: string, actor: Actor) {
      const { password, hashed } = await createNewPassword();
      return db.transaction(async (tx) => {
        const [user] = await store.lockUsers(tx, [userId]);
        const student = requireActiveStudent(user);
        await replacePassword(tx, userId, hashed, { isIssued: true });
        await deleteUndeliverableAndOutboxMail(tx, userId, 'credentials');
        await audit.record(tx, actor, 'password-issued', formatDisplayName(student));
        return { user: student, password };
      });
    },

    /**
     * Emails a student a new password, as {@link sendCredentialsAgain} does, and deletes emails with earlier
     * passwords if they are undeliverable or in the outbox.
     * @param clientId idempotency key; sends nothing if it has been used before
     * @throws the same errors as {@link sendCredentialsAgain}, and AppError 'forbidden' for a teacher
     */
    async sendNewPasswordToStudent(
      tx: Db,
      userId: string,
      actor: Actor,
      credentials: NewPassword,
      clientId: string,
    ) {
      const [user] = await store.lockUsers(tx, [userId]);
      requireActiveStudent(user);
      if (await wasMailQueued(tx, userId, clientId)) return;
      await deleteUndeliverableAndOutboxMail(tx, userId, 'credentials');
      await mailNewPassword(tx, user, actor, credentials, clientId);
    },
  };
}

const accountDisabled = () => createConflictError('This account is disabled. Enable it first.');

/** @throws AppError if the user doesn't exist, is a teacher or is disabled */
function requireActiveStudent(user: LockedUser | undefined): LockedUser {
  if (!user) throw createNotFoundError('This user no longer exists');
  if (user.role === 'admin') throw new AppError('forbidden', 'Teachers choose their own passwords.');
  if (!user.isActive) throw accountDisabled();
  return user;
}
