import type { ApiResponse } from '#web/api/call.ts';
import { MAX_NAME_LENGTH } from '#features/accounts/limits.ts';
import type { ResolvedLevels } from '#features/people/levels/web/level-names.ts';
import type { ImportedPerson } from './extract-people.ts';

export type PersonCheck = ApiResponse<'POST /api/admin/invite-users/check'>['results'][number];
export type ExistingAccount = NonNullable<PersonCheck['account']>;

export type PersonField = 'email' | 'firstName' | 'lastName';
export type PersonProblems = Partial<Record<PersonField | 'levels', string>>;

/** Predicted outcome of sending a row. */
export type PeopleImportRowPlan =
  | { kind: 'wrong'; problems: PersonProblems }
  /** @property earlierRow number of the earlier row with the same email */
  | { kind: 'twice'; earlierRow: number }
  /** @property addedLevels levels that the account does not have yet */
  | { kind: 'here'; account: ExistingAccount; addedLevels: readonly number[] }
  | { kind: 'new' }
  | { kind: 'without levels' };

/** Pattern of Zod's `z.email()`, with which the server validates emails. */
const EMAIL = /^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+\-.]*[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;

/** Returns the errors that the page can find by itself. The server makes the final decision. */
export function validatePerson({ email, firstName, lastName }: Omit<ImportedPerson, 'row'>): PersonProblems {
  const problems: PersonProblems = {};
  if (email === '') problems.email = 'Email is missing';
  else if (/[,;\s]\S*@/.test(email)) problems.email = 'More than one email address';
  else if (email.length > 254 || !EMAIL.test(email)) problems.email = 'Invalid email';
  for (const [field, name] of [
    ['firstName', firstName],
    ['lastName', lastName],
  ] as const) {
    if (name === null) continue;
    if (name.length > MAX_NAME_LENGTH) problems[field] = `Longer than ${MAX_NAME_LENGTH} characters`;
    else if (/^[=+@＝＋＠|]/.test(name)) problems[field] = 'This looks like a formula';
  }
  if (firstName === '') problems.firstName = 'Name is missing';
  return problems;
}

/**
 * Plans what will happen to each person.
 * @param people in table order; of several people with the same email, the first without errors is invited
 * @param getCheck the server's check of a person, or undefined until it arrives
 */
export function planPeopleImportRows<P extends ImportedPerson>(
  people: readonly P[],
  getLevels: (person: P) => ResolvedLevels,
  getCheck: (person: P) => PersonCheck | undefined,
): Map<P, PeopleImportRowPlan> {
  const firstWith = new Map<string, number>();
  return new Map(
    people.map((person) => {
      const checked = getCheck(person);
      const { ids, unknown } = getLevels(person);
      const problems = {
        ...toProblems(checked),
        ...validatePerson(person),
        ...(unknown.length > 0 && { levels: `No level called “${unknown.join('”, “')}”` }),
      };
      const before = firstWith.get(person.email);
      // A row with errors isn't recorded, so it doesn't turn a later row with the same email into a duplicate.
      const plan = planRow(problems, before, checked?.account ?? null, ids);
      if (plan.kind !== 'wrong' && before === undefined) firstWith.set(person.email, person.row);
      return [person, plan];
    }),
  );
}

function planRow(
  problems: PersonProblems,
  before: number | undefined,
  account: ExistingAccount | null,
  levels: readonly number[],
): PeopleImportRowPlan {
  if (before !== undefined && problems.email === undefined) return { kind: 'twice', earlierRow: before };
  // Ignores errors in the names, because the row only grants levels. The existing account keeps its own names.
  if (account && problems.email === undefined && problems.levels === undefined) {
    const isTeacher = account.role === 'admin';
    const addedLevels = isTeacher
      ? []
      : levels.filter((level) => !account.transmissionLevels.includes(level));
    return { kind: 'here', account, addedLevels };
  }
  if (Object.keys(problems).length > 0) return { kind: 'wrong', problems };
  return levels.length === 0 ? { kind: 'without levels' } : { kind: 'new' };
}

const FIELDS: readonly string[] = ['email', 'firstName', 'lastName'] satisfies PersonField[];

const toProblems = (checked: PersonCheck | undefined): PersonProblems =>
  Object.fromEntries(
    (checked?.issues ?? [])
      .filter(({ path }) => FIELDS.includes(path))
      .map(({ path, message }) => [path, message]),
  );
