import { violates, type Db } from '../../../db/database.ts';
import { badInput, conflict, notFound } from '../../../platform/contract/errors.ts';
import { generatePassword, hashPassword } from '../../../platform/server/passwords.ts';
import * as store from './store.ts';
import { freeUsername, usernameStem } from './usernames.ts';

export type UsersService = ReturnType<typeof usersService>;

export type NewStudent = { email: string; firstName: string; lastName: string; transmissionLevels: number[] };

/** So many people with one name do not come at the same moment. */
const MOST_TRIES = 20;

const NO_SUCH_LEVEL = 'No such transmission level';
const LEVEL_KEY = 'user_transmission_access_transmission_level_id_transmission_levels_id_fk';
const noSuchUser = () => notFound('No such user');

/** Who is here, and which transmission levels each may hear. */
export function usersService({ db }: { db: Db }) {
  async function mustExist(id: string) {
    const user = await store.findUser(db, id);
    if (!user) throw noSuchUser();
    return user;
  }

  return {
    list: (search: string) => store.listUsers(db, search),

    /** By username or email, in any case; with the password's hash, for sign-in alone. */
    findForSignIn: (name: string) => store.findUserByName(db, name),

    /**
     * Makes a student with a generated password, which is returned once and kept as a hash only.
     * @throws AppError 'conflict' when the email has an account, 'bad-input' for an unknown level
     */
    async createStudent(student: NewStudent, grantedBy: string) {
      const password = generatePassword();
      const hashed = await hashPassword(password);
      const stem = usernameStem(student.email);
      for (let tries = 1; ; tries += 1) {
        try {
          const user = await db.transaction(async (tx) => {
            const levels = await levelsOf(tx, student.transmissionLevels);
            const made = await store.insertUser(tx, {
              email: student.email,
              firstName: student.firstName,
              lastName: student.lastName,
              username: freeUsername(stem, await store.usernamesLike(tx, stem)),
              password: hashed,
            });
            await store.insertAccess(tx, made.id, levels, grantedBy);
            return made;
          });
          return { user, password };
        } catch (error) {
          if (violates(error, 'users_email_unique')) throw conflict('A user with this email already exists.');
          // Somebody took the username in between: look again.
          if (!violates(error, 'users_username_unique') || tries === MOST_TRIES) throw error;
        }
      }
    },

    async accessOf(userId: string) {
      await mustExist(userId);
      return store.listAccess(db, userId);
    },

    /** @returns the access, and whether it is new */
    async grant(userId: string, levelId: number, grantedBy: string) {
      await mustExist(userId);
      await levelsOf(db, [levelId]);
      try {
        const [access] = await store.insertAccess(db, userId, [levelId], grantedBy);
        return { access: access!, isNew: access!.isNew };
      } catch (error) {
        // Deleted in between.
        if (violates(error, 'user_transmission_access_user_id_users_id_fk')) throw noSuchUser();
        if (violates(error, LEVEL_KEY)) throw badInput(NO_SUCH_LEVEL);
        throw error;
      }
    },

    async revoke(userId: string, levelId: number) {
      await mustExist(userId);
      await store.deleteAccess(db, userId, levelId);
    },

    /**
     * Makes the first teacher when there is none.
     * @returns the password to print, null when there was an admin already
     */
    async createFirstAdmin(admin: { username: string; email: string; password: string | null }) {
      if (await store.anyAdmin(db)) return null;
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
  };
}

async function levelsOf(db: Db, ids: number[]) {
  const wanted = [...new Set(ids)];
  const found = await store.existingLevels(db, wanted);
  if (found.length < wanted.length) throw badInput(NO_SUCH_LEVEL);
  return found;
}
