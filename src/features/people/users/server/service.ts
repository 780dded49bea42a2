import type { Db } from '#server/db/database.ts';
import type { SearchRunner } from '#server/db/search.ts';
import { type BodyOf, assertExhaustive } from '#shared/body.ts';
import { formatDisplayName } from '#shared/display-name.ts';
import { createConflictError, createNotFoundError } from '#shared/errors.ts';
import { getSearchWords } from '#shared/search-words.ts';
import { ALL_ADMINS, announceChange } from '#server/db/changes.ts';
import type { Log } from '#server/log.ts';
import type { MediaRepository } from '#server/media/media-repository.ts';
import { explainGuessablePassword } from '#server/auth/guessable-passwords.ts';
import { generatePassword, hashPassword } from '#server/auth/passwords.ts';
import { SettingsError } from '#server/config/settings.ts';
import type { Actor, AuditService } from '#features/audit/server/service.ts';
import type { NotificationsService } from '#features/messages/notifications/server/service.ts';
import type { usersApi } from '../contract.ts';
import { createLevelAccessService, lockExistingLevels } from './level-access.ts';
import { createBulkUserService } from './bulk-changes.ts';
import { createCredentialIssuer, createNewPassword, type NewPassword } from './credentials.ts';
import type { CommunitySettings } from './emails.ts';
import {
  createAccountLifecycle,
  type FileOwningFeature,
  type PassageAnnouncer,
} from './account-lifecycle.ts';
import * as store from './store.ts';
import { pickFreeUsername, toUsernameStem } from './usernames.ts';

export type { AccountIdentity } from './store.ts';

export type UsersService = ReturnType<typeof createUsersService>;

export type NewStudent = {
  email: string;
  firstName: string;
  /** Null for somebody with a single name. */
  lastName: string | null;
  transmissionLevels: number[];
  /** Idempotency key of the invite, if there was one. */
  clientId?: string | undefined;
};

export const EMAIL_TAKEN_MESSAGE = 'A user with this email already exists.';

/**
 * Maximum attempts to find a free username. An attempt fails only if a concurrent request takes the same
 * name, so this many failures in a row would be a bug.
 */
const MAX_ATTEMPTS = 20;

const userNotFound = () => createNotFoundError('This user no longer exists');

/** Creates the service for users and their access to transmission levels. */
export function createUsersService(deps: {
  db: Db;
  search: SearchRunner;
  audit: AuditService;
  media: MediaRepository;
  news: NotificationsService;
  community: CommunitySettings;
  ownedFiles: readonly FileOwningFeature[];
  passages: PassageAnnouncer;
  log: Log;
}) {
  const { db, search, audit, community } = deps;
  const credentials = createCredentialIssuer(deps);
  const access = createLevelAccessService(deps);
  const lifecycle = createAccountLifecycle(deps);

  return {
    /**
     * Returns a page of users, sorted by name.
     * @param query.q words that must each occur in the names, username or email
     * @param query.level id of a level: only students who have it
     * @param signal aborts a search
     */
    async list(
      {
        q = '',
        after,
        ...filter
      }: { q?: string | undefined; after?: store.UserCursor } & store.UserListFilter,
      signal?: AbortSignal,
    ) {
      const words = getSearchWords(q);
      if (words.length === 0) return store.listUsers(db, filter, after);
      return search((tx) => store.searchUsers(tx, words, filter, after), signal);
    },

    /** @throws AppError 'not-found' */
    async get(id: string) {
      const found = await store.findListedUser(db, id);
      if (!found) throw userNotFound();
      return found;
    },

    /** Fills the search columns of users who were stored before these columns existed. Runs at startup. */
    async backfillSearchColumns() {
      while ((await db.transaction(store.backfillUserSearchColumnsBatch)) > 0);
    },

    /**
     * Finds a user by username or email, ignoring case. For sign-in only, because the result has the password
     * hash.
     */
    findForSignIn: (name: string) => store.findUserByUsernameOrEmail(db, name),

    /** Locks a user against changes until the transaction ends. Returns null if there is no such user. */
    async lockForChange(tx: Db, userId: string) {
      const [user] = await store.lockUsers(tx, [userId]);
      return user ?? null;
    },

    /** Changes names, email and username of a user whom the transaction has locked. */
    changeIdentity: (tx: Db, { id, username }: { id: string; username: string }, to: store.AccountIdentity) =>
      store.changeAccountIdentity(tx, id, { username, ...to }),

    /** Returns the user, or null if deleted or disabled. */
    async findActive(tx: Db, userId: string) {
      const user = await store.findUser(tx, userId);
      return user?.isActive ? user : null;
    },

    hasAccount: (email: string) => store.hasAccount(db, email),

    /** Returns the accounts with these emails (in lower case), and the ids of the levels granted to each. */
    findAccountsByEmail: (emails: string[]) => store.findAccountsByEmail(db, emails),

    listAdminNames: () => store.listAdminNames(db),

    /**
     * Creates a student with a generated password, which is returned once and stored only as a hash.
     * @throws AppError 'conflict' if the email has an account, 'bad-input' for an unknown level
     */
    async createStudent(
      { email, firstName, lastName, transmissionLevels, ...rest }: BodyOf<typeof usersApi.create>,
      actor: Actor,
    ) {
      assertExhaustive(rest);
      const student = { email, firstName, lastName, transmissionLevels };
      if (await store.hasAccount(db, email)) throw createConflictError(EMAIL_TAKEN_MESSAGE);
      const credentials = await createNewPassword();
      return db.transaction(async (tx) => {
        const added = await addStudent(tx, student, credentials, actor);
        if (!added) throw createConflictError(EMAIL_TAKEN_MESSAGE);
        await audit.record(tx, actor, 'user-created', formatDisplayName(added.user), added.levelNames);
        return { user: added.user, password: credentials.password };
      });
    },

    addStudent,

    /**
     * Creates the first teacher's account (role 'admin') in a new installation.
     * @returns the credentials to print, or null if a teacher already exists
     * @throws SettingsError for a configured password that is easy to guess
     */
    async createFirstAdmin(admin: { username: string; email: string; password: string | null }) {
      if (await store.hasAdmin(db)) return null;
      if (admin.password !== null) {
        const problem = await explainGuessablePassword(admin.password, {
          own: [admin.username, admin.email],
          community: [community.appName, community.teacherTitle],
        });
        if (problem) throw new SettingsError(`ADMIN_PASSWORD: ${problem}`);
      }
      const password = admin.password ?? generatePassword();
      const hashed = await hashPassword(password);
      return db.transaction(async (tx) => {
        // Makes concurrent processes wait, so that only one of them creates the admin in an empty database.
        await store.lockFirstAdminCreation(tx);
        if (await store.hasAdmin(tx)) return null;
        const { username, email } = admin;
        await store.insertUser(tx, {
          ...{ username, email, password: hashed, role: 'admin' },
          // A generated password has been printed on a terminal, where others may see it, so the teacher should
          // choose another.
          suggestOwnPassword: admin.password === null,
        });
        return { username, password, generated: admin.password === null };
      });
    },

    ...credentials,
    ...access,
    ...lifecycle,
    ...createBulkUserService({ db, log: deps.log, credentials, access, lifecycle }),
  };
}

/**
 * Creates a student within the caller's transaction, with a username derived from the email's local part.
 * @returns the user and the names of the granted levels (null if there are none), or null if the email has an
 *   account
 * @throws AppError 'bad-input' for an unknown level
 */
async function addStudent(tx: Db, student: NewStudent, { hashed }: NewPassword, actor: { id: string }) {
  const levels = await lockExistingLevels(tx, student.transmissionLevels);
  const stem = toUsernameStem(student.email);
  for (let tries = 1; tries <= MAX_ATTEMPTS; tries += 1) {
    const user = await store.insertUserUnlessTaken(tx, {
      email: student.email,
      firstName: student.firstName,
      lastName: student.lastName,
      username: pickFreeUsername(stem, await store.listUsernamesStartingWith(tx, stem)),
      password: hashed,
      suggestOwnPassword: true,
      passwordIssuedAt: new Date(),
      clientId: student.clientId ?? null,
    });
    if (user) {
      const ids = levels.map((level) => level.id);
      await store.insertLevelAccess(tx, user.id, ids, actor.id);
      await announceChange(tx, { to: ALL_ADMINS, refreshes: ['/api/admin/users', '/api/admin/mail'] });
      return { user, levelNames: levels.map((level) => level.name).join(', ') || null };
    }
    if (await store.hasAccount(tx, student.email)) return null;
    // Another request took the username in the meantime: retry.
  }
  throw new Error(`no free username for '${stem}' after ${MAX_ATTEMPTS} attempts`);
}
