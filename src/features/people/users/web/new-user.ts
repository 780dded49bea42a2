import { type CallError, issuesOf } from '#web/api/call.ts';
import type { DraftOptions } from '#web/drafts/draft.ts';
import type { ChosenLevels } from '#features/people/levels/web/chosen-levels.ts';

/** A user to create, as it is typed. */
export type TypedUser = {
  email: string;
  firstName: string;
  lastName: string;
  transmissionLevels: ChosenLevels;
};
export type NewUser = Omit<TypedUser, 'transmissionLevels'> & { transmissionLevels: number[] };
export type UserProblems = Partial<Record<keyof NewUser, string>>;

export const NOBODY: TypedUser = { email: '', firstName: '', lastName: '', transmissionLevels: null };

export const newUserDraft: DraftOptions<TypedUser> = {
  of: 'new user',
  begin: (kept) => ({ ...NOBODY, ...(kept as Partial<TypedUser> | null) }),
  // The levels alone are not worth keeping.
  keep: (typed) => (typed.email || typed.firstName || typed.lastName ? typed : null),
};

export const trimmed = ({ email, firstName, lastName, ...rest }: NewUser): NewUser => ({
  email: email.trim(),
  firstName: firstName.trim(),
  lastName: lastName.trim(),
  ...rest,
});

export const isIncomplete = ({ email, firstName, lastName, transmissionLevels }: NewUser) =>
  email === '' || firstName === '' || lastName === '' || transmissionLevels.length === 0;

/** By field, in the order of the form. */
export function problemsOf(user: NewUser, isEmail: boolean): UserProblems {
  return {
    ...(isEmail ? {} : { email: 'Please enter a valid email address.' }),
    ...(user.email === '' ? { email: 'Email is required' } : {}),
    ...(user.firstName === '' ? { firstName: 'First name is required' } : {}),
    ...(user.lastName === '' ? { lastName: 'Last name is required' } : {}),
    ...(user.transmissionLevels.length === 0
      ? { transmissionLevels: 'At least one transmission level is required' }
      : {}),
  };
}

const FIELDS = Object.keys(NOBODY);

/** The server's complaints by field. */
export const refusalsIn = (error: CallError): UserProblems =>
  error.status === 409 && error.serverMessage
    ? { email: error.serverMessage }
    : Object.fromEntries(
        issuesOf(error)
          .map(({ path, message }) => [path.split('.')[0] ?? '', message] as const)
          .filter(([field]) => FIELDS.includes(field)),
      );
