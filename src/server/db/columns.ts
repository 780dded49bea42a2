import { sql, type Column, type SQL } from 'drizzle-orm';
import type { SoundCopy } from '#shared/media.ts';
import { userTransmissionAccess, users } from './schema.ts';

/**
 * Columns of a user that most queries need. Leaves out, for example, the password hash, which is read only to
 * verify a password, and the news token, which only the news feature reads.
 */
export const userColumns = {
  id: users.id,
  email: users.email,
  firstName: users.firstName,
  lastName: users.lastName,
  username: users.username,
  profileImageUrl: users.profileImageUrl,
  role: users.role,
  isActive: users.isActive,
  suggestOwnPassword: users.suggestOwnPassword,
  passwordIssuedAt: users.passwordIssuedAt,
  suggestPasskey: users.suggestPasskey,
  asksForPasskey: users.asksForPasskey,
  wantsNewsMail: users.wantsNewsMail,
  keepsPracticeLog: users.keepsPracticeLog,
  createdAt: users.createdAt,
  updatedAt: users.updatedAt,
};

/** Rounds milliseconds to whole seconds, at least one; null stays null. */
export const selectWholeSeconds = (ms: Column): SQL<number | null> =>
  sql`case when ${ms} is not null then greatest(1, round(${ms} / 1000.0))::int end`;

/**
 * Selects the ids of the levels that a user has received, in ascending order.
 * @param userId may be a column of the outer query
 */
export const selectReceivedLevels = (userId: string | SQL | Column): SQL<number[]> => sql<number[]>`array(
  select ${userTransmissionAccess.transmissionLevelId} from ${userTransmissionAccess}
  where ${userTransmissionAccess.userId} = ${userId} order by 1)`;

/**
 * Selects the undamaged copies of an audio file, which may be played instead of the original.
 * @param name column with the file name of the original
 */
export const selectSoundCopies = (name: Column): SQL<SoundCopy[]> =>
  sql`array(select made.copy from media_files as made where made.copy_of = ${name} and made.damage is null)`;
