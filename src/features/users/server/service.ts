import type { Db } from '../../../db/database.ts';
import type { Search } from '../../../db/search.ts';
import { type BodyOf, nothingLeft } from '../../../platform/contract/body.ts';
import { displayName } from '../../../platform/contract/display-name.ts';
import { badInput, conflict, notFound } from '../../../platform/contract/errors.ts';
import { wordsOf } from '../../../platform/contract/search-words.ts';
import { ADMINS, announceChange } from '../../../platform/server/changes.ts';
import { HEARD_MELODIES } from '../../../platform/contract/live.ts';
import type { Media } from '../../../platform/server/media/keep.ts';
import { whyGuessable } from '../../../platform/server/guessable-passwords.ts';
import { generatePassword, hashPassword } from '../../../platform/server/passwords.ts';
import { SettingsError } from '../../../platform/server/settings.ts';
import type { Actor, AuditService } from '../../audit/server/service.ts';
import type { NewsService } from '../../notifications/server/service.ts';
import type { usersApi } from '../contract.ts';
import { credentialsBy, newCredentials, type Credentials } from './credentials.ts';
import type { Community } from './emails.ts';
import { accountLifecycle, type OwnedFiles } from './account-lifecycle.ts';
import * as store from './store.ts';
import { freeUsername, usernameStem } from './usernames.ts';

export type UsersService = ReturnType<typeof usersService>;

export type NewStudent = {
  email: string;
  firstName: string;
  /** Null for somebody with a single name. */
  lastName: string | null;
  transmissionLevels: number[];
};

export const EMAIL_TAKEN = 'A user with this email already exists.';

/** More people with one name than ever arrive at once. */
const MOST_TRIES = 20;

/** What a student may hear by the levels. */
const LIBRARY = [...HEARD_MELODIES, '/api/user/transmission-levels'] as const;

const NO_SUCH_LEVEL = 'No such transmission level';
const noSuchUser = () => notFound('No such user');

/** The users, and the transmission levels that each may hear. */
export function usersService(deps: {
  db: Db;
  search: Search;
  audit: AuditService;
  media: Media;
  news: NewsService;
  community: Community;
  ownedFiles: readonly OwnedFiles[];
}) {
  const { db, search, audit, community } = deps;

  return {
    /**
     * By name, a page at a time.
     * @param query.q only those with each of its words in names, username or email
     * @param signal aborts a search
     */
    async list({ q = '', after }: { q?: string | undefined; after?: store.Place }, signal?: AbortSignal) {
      const words = wordsOf(q);
      if (words.length === 0) return store.listUsers(db, after);
      return search((tx) => store.searchUsers(tx, words, after), signal);
    },

    /** @throws AppError 'not-found' */
    async get(id: string) {
      const found = await store.findListed(db, id);
      if (!found) throw noSuchUser();
      return found;
    },

    /** At the start: folds the names of users from before there was such a column. */
    async foldUnfolded() {
      while ((await db.transaction(store.foldSome)) > 0);
    },

    /** By username or email, ignoring case; with the password hash, for sign-in only. */
    findForSignIn: (name: string) => store.findUserByName(db, name),

    /** Null for a user who is deleted or disabled. */
    async findActive(tx: Db, userId: string) {
      const user = await store.findUser(tx, userId);
      return user?.isActive ? user : null;
    },

    hasAccount: (email: string) => store.hasAccount(db, email),

    listAdminNames: () => store.listAdminNames(db),

    /**
     * Creates a student with a generated password, which is returned once and stored only as a hash.
     * @throws AppError 'conflict' when the email has an account, 'bad-input' for an unknown level
     */
    async createStudent(
      { email, firstName, lastName, transmissionLevels, ...rest }: BodyOf<typeof usersApi.create>,
      actor: Actor,
    ) {
      nothingLeft(rest);
      const student = { email, firstName, lastName, transmissionLevels };
      if (await store.hasAccount(db, email)) throw conflict(EMAIL_TAKEN);
      const credentials = await newCredentials();
      return db.transaction(async (tx) => {
        const added = await addStudent(tx, student, credentials, actor);
        if (!added) throw conflict(EMAIL_TAKEN);
        await audit.record(tx, actor, 'user-created', displayName(added.user), added.levelNames);
        return { user: added.user, password: credentials.password };
      });
    },

    addStudent,

    async accessOf(userId: string) {
      if (!(await store.findUser(db, userId))) throw noSuchUser();
      return store.listAccess(db, userId);
    },

    /**
     * @returns the access, and whether it is new
     * @throws AppError 'not-found' for the user, 'bad-input' for the level
     */
    grant(userId: string, levelId: number, actor: Actor) {
      return db.transaction(async (tx) => {
        const user = await store.keepUser(tx, userId);
        if (!user) throw noSuchUser();
        const [level] = await levelsOf(tx, [levelId]);
        const [access] = await store.insertAccess(tx, userId, [levelId], actor.id);
        const { isNew } = access!;
        if (isNew) {
          await audit.record(tx, actor, 'level-granted', displayName(user), level!.name);
          await announceChange(tx, { to: userId, refreshes: LIBRARY });
        }
        return { access: access!, isNew };
      });
    },

    /** A no-op if there was no such access. @throws AppError 'not-found' for the user */
    async revoke(userId: string, levelId: number, actor: Actor) {
      await db.transaction(async (tx) => {
        const user = await store.keepUser(tx, userId);
        if (!user) throw noSuchUser();
        const levelName = await store.deleteAccess(tx, userId, levelId);
        if (levelName === null) return;
        await audit.record(tx, actor, 'level-revoked', displayName(user), levelName);
        await announceChange(tx, { to: userId, refreshes: LIBRARY });
      });
    },

    /**
     * Creates the first teacher if there is none.
     * @returns the password to print, null if there was already an admin
     * @throws SettingsError for a configured password that is easy to guess
     */
    async createFirstAdmin(admin: { username: string; email: string; password: string | null }) {
      if (await store.anyAdmin(db)) return null;
      if (admin.password !== null) {
        const problem = await whyGuessable(admin.password, {
          own: [admin.username, admin.email],
          community: [community.appName, community.teacherTitle],
        });
        if (problem) throw new SettingsError(`ADMIN_PASSWORD: ${problem}`);
      }
      const password = admin.password ?? generatePassword();
      const hashed = await hashPassword(password);
      return db.transaction(async (tx) => {
        // Several processes may start at once on one empty database.
        await store.lockFirstAdmin(tx);
        if (await store.anyAdmin(tx)) return null;
        const { username, email } = admin;
        await store.insertUser(tx, { username, email, password: hashed, role: 'admin' });
        return { username, password, generated: admin.password === null };
      });
    },

    ...credentialsBy(deps),
    ...accountLifecycle(deps),
  };
}

/**
 * Creates a student within the caller's transaction, with a username derived from the email's local part.
 * @returns the user and the names of the levels given, null if there are none; null when the email has an account
 * @throws AppError 'bad-input' for an unknown level
 */
async function addStudent(tx: Db, student: NewStudent, { hashed }: Credentials, actor: { id: string }) {
  const levels = await levelsOf(tx, student.transmissionLevels);
  const stem = usernameStem(student.email);
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const user = await store.insertUserUnlessTaken(tx, {
      email: student.email,
      firstName: student.firstName,
      lastName: student.lastName,
      username: freeUsername(stem, await store.usernamesLike(tx, stem)),
      password: hashed,
      suggestOwnPassword: true,
    });
    if (user) {
      const ids = levels.map((level) => level.id);
      await store.insertAccess(tx, user.id, ids, actor.id);
      await announceChange(tx, { to: ADMINS, refreshes: ['/api/admin/users', '/api/admin/mail'] });
      return { user, levelNames: levels.map((level) => level.name).join(', ') || null };
    }
    if (await store.hasAccount(tx, student.email)) return null;
    // Somebody took the username in between: retry.
  }
  throw new Error(`no free username for '${stem}' after ${MOST_TRIES} attempts`);
}

async function levelsOf(tx: Db, ids: number[]) {
  const wanted = [...new Set(ids)];
  const found = await store.lockLevels(tx, wanted);
  if (found.length < wanted.length) throw badInput(NO_SUCH_LEVEL);
  return found;
}
