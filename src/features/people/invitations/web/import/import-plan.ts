import type { Answer } from '#web/api/call.ts';
import { NAME_MAX } from '#features/accounts/limits.ts';
import type { GivenLevels } from '#features/people/levels/web/level-names.ts';
import type { Person } from './people.ts';

export type Checked = Answer<'POST /api/admin/invite-users/check'>['results'][number];
export type Account = NonNullable<Checked['account']>;

export type Field = 'email' | 'firstName' | 'lastName';
export type Problems = Partial<Record<Field | 'levels', string>>;

/** Outcome that a row will have once it is sent. */
export type Outlook =
  | { kind: 'wrong'; problems: Problems }
  /** @property of number of the earlier row with the same email */
  | { kind: 'twice'; of: number }
  /** @property adds levels that the account does not have yet */
  | { kind: 'here'; account: Account; adds: readonly number[] }
  | { kind: 'new' }
  | { kind: 'without levels' };

/** The same pattern as on the server. */
const EMAIL = /^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+\-.]*[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;

/** Returns the errors that the page can find by itself. The server has the last word. */
export function problemsOf({ email, firstName, lastName }: Omit<Person, 'row'>): Problems {
  const problems: Problems = {};
  if (email === '') problems.email = 'Email is missing';
  else if (/[,;\s]\S*@/.test(email)) problems.email = 'More than one email address';
  else if (email.length > 254 || !EMAIL.test(email)) problems.email = 'Invalid email';
  for (const [field, name] of [
    ['firstName', firstName],
    ['lastName', lastName],
  ] as const) {
    if (name === null) continue;
    if (name.length > NAME_MAX) problems[field] = `Longer than ${NAME_MAX} characters`;
    else if (/^[=+@＝＋＠|]/.test(name)) problems[field] = 'This looks like a formula';
  }
  if (firstName === '') problems.firstName = 'Name is missing';
  return problems;
}

/**
 * Plans what will happen to each person.
 * @param people in table order, so that the first of two with the same email is invited
 * @param checkedOf the server's check of a person, or undefined until it arrives
 */
export function outlooksOf<P extends Person>(
  people: readonly P[],
  levelsOf: (person: P) => GivenLevels,
  checkedOf: (person: P) => Checked | undefined,
): Map<P, Outlook> {
  const firstWith = new Map<string, number>();
  return new Map(
    people.map((person) => {
      const checked = checkedOf(person);
      const { ids, unknown } = levelsOf(person);
      const problems = {
        ...problemsIn(checked),
        ...problemsOf(person),
        ...(unknown.length > 0 && { levels: `No level called “${unknown.join('”, “')}”` }),
      };
      const before = firstWith.get(person.email);
      // A row that can't be sent doesn't prevent a later row with its email from being sent.
      const outlook = outlookOf(problems, before, checked?.account ?? null, ids);
      if (outlook.kind !== 'wrong' && before === undefined) firstWith.set(person.email, person.row);
      return [person, outlook];
    }),
  );
}

function outlookOf(
  problems: Problems,
  before: number | undefined,
  account: Account | null,
  levels: readonly number[],
): Outlook {
  if (before !== undefined && problems.email === undefined) return { kind: 'twice', of: before };
  // Errors in the names don't matter, because the account already has its names.
  if (account && problems.email === undefined && problems.levels === undefined) {
    const isTeacher = account.role === 'admin';
    const adds = isTeacher ? [] : levels.filter((level) => !account.transmissionLevels.includes(level));
    return { kind: 'here', account, adds };
  }
  if (Object.keys(problems).length > 0) return { kind: 'wrong', problems };
  return levels.length === 0 ? { kind: 'without levels' } : { kind: 'new' };
}

const FIELDS: readonly string[] = ['email', 'firstName', 'lastName'] satisfies Field[];

const problemsIn = (checked: Checked | undefined): Problems =>
  Object.fromEntries(
    (checked?.issues ?? [])
      .filter(({ path }) => FIELDS.includes(path))
      .map(({ path, message }) => [path, message]),
  );
