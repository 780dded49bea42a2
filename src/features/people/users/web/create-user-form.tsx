import { whyAnd } from '#web/ui/sentences.ts';
import { useMutation, skipToken, useQuery } from '@tanstack/react-query';
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import { call, sentenceOf, type CallError, issuesOf } from '#web/api/call.ts';
import { useDraft } from '#web/drafts/use-draft.ts';
import { toast } from '#web/ui/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import { givenLevels, type ChosenLevels } from '#features/people/levels/web/chosen-levels.ts';
import { LevelCheckboxes } from '#features/people/levels/web/level-checkboxes.tsx';
import { INCOMPLETE_USER } from '../limits.ts';
import { NAME_MAX } from '#features/accounts/limits.ts';
import { queryClient } from '#web/api/query-client.ts';
import { displayName } from '#web/api/session.ts';
import { useFocusAfterLeaving } from '#web/ui/focus-after-leaving.ts';
import type { CreatedUser } from '../contract.ts';
import { CreatedPassword } from './created-password.tsx';
import type { DraftOptions } from '#web/drafts/draft.ts';

const CREATED = 'User created successfully';
const FAILED = 'Failed to create user';

export function CreateUserForm({ levels }: { levels: readonly Level[] }) {
  const form = useRef<HTMLFormElement>(null);
  const draft = useDraft(newUserDraft);
  const typed = draft.value;
  const change = (part: Partial<TypedUser>) => draft.change({ ...draft.latest(), ...part });
  const [problems, setProblems] = useState<UserProblems>({});
  const [isMarked, setIsMarked] = useState(false);
  const asSent = (given: TypedUser) =>
    trimmed({ ...given, transmissionLevels: givenLevels(given.transmissionLevels, levels) });
  const create = useMutation({
    mutationFn: (given: TypedUser) =>
      call('POST /api/admin/create-user-with-credentials', { body: asSent(given) }),
    meta: { refreshes: ['/api/admin/users', '/api/admin/audit-log'] },
    onSuccess: (created, sent) => {
      keepCreatedUser(created);
      // What was typed meanwhile is the next one.
      if (draft.latest() === sent) change(NOBODY);
      toast({ title: CREATED, description: 'The password is displayed below.' });
    },
    onError: (error) => {
      const found = refusalsIn(error);
      setProblems(found);
      focusFirst(form.current, found);
      toast({
        title: FAILED,
        description: sentenceOf(error, 'Please try again.'),
        variant: 'destructive',
      });
    },
  });

  const user = asSent(typed);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = event.currentTarget.querySelector<HTMLInputElement>('[name=email]');
    const found = problemsOf(user, email?.validity.valid ?? true);
    setProblems(found);
    setIsMarked(isIncomplete(user));
    create.reset();
    if (Object.keys(found).length === 0) return create.mutate(typed);
    focusFirst(event.currentTarget, found);
    if (isIncomplete(user)) toast({ title: INCOMPLETE_USER, variant: 'destructive' });
  };
  const field = (name: 'email' | 'firstName' | 'lastName') => ({
    name,
    value: typed[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => change({ [name]: target.value }),
    autoComplete: 'off',
    'aria-required': true,
    error: problems[name],
  });

  return (
    <>
      <form ref={form} noValidate onSubmit={submit} className="grid gap-5">
        <TextField label="Email" type="email" autoCapitalize="none" maxLength={254} {...field('email')} />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField label="First name" maxLength={NAME_MAX} {...field('firstName')} />
          <TextField label="Last name" maxLength={NAME_MAX} {...field('lastName')} />
        </div>
        <LevelCheckboxes
          levels={levels}
          selected={user.transmissionLevels}
          onChange={(transmissionLevels) => change({ transmissionLevels })}
          error={problems.transmissionLevels}
        />
        {isMarked && isIncomplete(user) && <Notice tone="danger">{INCOMPLETE_USER}</Notice>}
        {create.isError && (
          <Notice tone="danger" title={FAILED}>
            {whyAnd(create.error, 'Please try again.', 'What you typed is still here.')}
          </Notice>
        )}
        <Button
          type="submit"
          variant="primary"
          busy={create.isPending}
          className="max-sm:w-full sm:justify-self-start"
        >
          Create User
        </Button>
      </form>
      <CreatedUsers />
    </>
  );
}

function focusFirst(form: HTMLFormElement | null, problems: UserProblems) {
  const first = Object.keys(problems)[0];
  if (first) form?.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
}

// A password is returned once. In the query cache, and nowhere else, it survives navigation and is dropped at sign-out.
const CREATED_USERS_KEY = ['created-users'] as const;

const keepCreatedUser = (created: CreatedUser) =>
  queryClient.setQueryData<CreatedUser[]>(CREATED_USERS_KEY, (before = []) => [created, ...before]);

const clearCreatedUser = (id: string) =>
  queryClient.setQueryData<CreatedUser[]>(CREATED_USERS_KEY, (before = []) =>
    before.filter(({ user }) => user.id !== id),
  );

/** The credentials created on this page, newest first, until each is cleared. */
function CreatedUsers() {
  const { data = [] } = useQuery<CreatedUser[]>({ queryKey: CREATED_USERS_KEY, queryFn: skipToken });
  const place = useRef<HTMLDivElement>(null);
  useFocusAfterLeaving(
    place,
    data.map(({ user }) => user.id),
  );
  return (
    <div ref={place}>
      <div role="status" tabIndex={-1} data-when-empty="" className="grid gap-4 not-empty:mt-6">
        {data.map(({ user, password }) => (
          <section
            key={user.id}
            aria-label={`Credentials of ${displayName(user)}`}
            className="rounded-md border-s-4 border-jade-ink bg-jade-ground p-4"
          >
            <h3 tabIndex={-1} data-item={user.id} className="text-lg break-words text-jade-ink">
              <bdi>{displayName(user)}</bdi> can sign in now
            </h3>
            <p className="mb-3 text-sm break-words text-jade-ink">{user.email}</p>
            <dl className="text-sm">
              <dt className="font-semibold">Username</dt>
              <dd className="mb-3 text-base break-all select-all">{user.username}</dd>
            </dl>
            <CreatedPassword password={password} />
            <p className="mt-3 text-sm">It is shown only here: copy it before you clear it or leave.</p>
            <Button className="mt-3" onClick={() => clearCreatedUser(user.id)}>
              Clear
            </Button>
          </section>
        ))}
      </div>
    </div>
  );
}

/** A user to create, as it is typed. */
type TypedUser = {
  email: string;
  firstName: string;
  lastName: string;
  transmissionLevels: ChosenLevels;
};
type NewUser = Omit<TypedUser, 'transmissionLevels'> & { transmissionLevels: number[] };
type UserProblems = Partial<Record<keyof NewUser, string>>;

const NOBODY: TypedUser = { email: '', firstName: '', lastName: '', transmissionLevels: null };

const newUserDraft: DraftOptions<TypedUser> = {
  of: 'new user',
  begin: (kept) => ({ ...NOBODY, ...kept }),
  // The levels alone are not worth keeping.
  keep: (typed) => (typed.email || typed.firstName || typed.lastName ? typed : null),
};

const trimmed = ({ email, firstName, lastName, ...rest }: NewUser): NewUser => ({
  email: email.trim(),
  firstName: firstName.trim(),
  lastName: lastName.trim(),
  ...rest,
});

const isIncomplete = ({ email, firstName, lastName, transmissionLevels }: NewUser) =>
  email === '' || firstName === '' || lastName === '' || transmissionLevels.length === 0;

/** By field, in the order of the form. */
function problemsOf(user: NewUser, isEmail: boolean): UserProblems {
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

const USER_FIELDS = Object.keys(NOBODY);

/** The server's complaints by field. */
const refusalsIn = (error: CallError): UserProblems =>
  error.status === 409 && error.serverMessage
    ? { email: error.serverMessage }
    : Object.fromEntries(
        issuesOf(error)
          .map(({ path, message }) => [path.split('.')[0] ?? '', message] as const)
          .filter(([field]) => USER_FIELDS.includes(field)),
      );
