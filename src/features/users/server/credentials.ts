import type { Db } from '../../../db/database.ts';
import { conflict, notFound } from '../../../platform/contract/errors.ts';
import { displayName } from '../../../platform/contract/display-name.ts';
import { queueMail } from '../../../platform/server/mail/queue.ts';
import { generatePassword, hashPassword } from '../../../platform/server/passwords.ts';
import type { Actor, AuditService } from '../../audit/server/service.ts';
import { replacePassword } from '../../passwords/server/service.ts';
import { credentialsMail, type Community, type Occasion } from './emails.ts';
import * as store from './store.ts';

/** A generated password and its hash, which takes some 40 ms: created before a transaction begins. */
export type Credentials = { password: string; hashed: string };

export async function newCredentials(): Promise<Credentials> {
  const password = generatePassword();
  return { password, hashed: await hashPassword(password) };
}

/** Issued passwords, and the mails that carry them. */
export function credentialsBy({ audit, community }: { audit: AuditService; community: Community }) {
  return {
    newCredentials,

    /** Queues the mail to a new user; it is not sent unless the transaction commits. */
    mailCredentials: (
      tx: Db,
      user: Parameters<typeof credentialsMail>[1],
      password: string,
      occasion: Exclude<Occasion, 'again'>,
    ) => queueMail(tx, credentialsMail(community, user, password, occasion)),

    /**
     * Mails a user a new password: the old one and reset links become void, and all of the user's sessions end.
     * @param credentials from {@link newCredentials}, so that the transaction need not wait for the hash
     * @throws AppError 'not-found', or 'conflict' for a disabled user, who could not sign in with it
     */
    async sendCredentialsAgain(tx: Db, userId: string, actor: Actor, credentials?: Credentials) {
      const { password, hashed } = credentials ?? (await newCredentials());
      const [user] = await store.lockUsers(tx, [userId]);
      if (!user) throw notFound('No such user');
      if (!user.isActive) throw conflict('This account is disabled. Enable it first.');
      await replacePassword(tx, userId, hashed, { isIssued: true });
      await queueMail(tx, credentialsMail(community, user, password, 'again'));
      await audit.record(tx, actor, 'password-issued', displayName(user));
    },
  };
}
