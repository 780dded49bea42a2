import { explainError } from '#web/ui/sentences.ts';
import { useMutation, skipToken, useQuery } from '@tanstack/react-query';
import { type ChangeEvent, useRef } from 'react';
import { callApi, getErrorMessage } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useFormDraft } from '#web/drafts/use-form-draft.ts';
import { toast } from '#web/ui/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import { resolveChosenLevels, type ChosenLevels } from '#features/people/levels/web/chosen-levels.ts';
import { LevelCheckboxes } from '#features/people/levels/web/level-checkboxes.tsx';
import { INCOMPLETE_USER_MESSAGE, MISSING_USER_FIELD_MESSAGES } from '../limits.ts';
import { MAX_NAME_LENGTH } from '#features/accounts/limits.ts';
import { queryClient } from '#web/api/query-client.ts';
import { formatDisplayName } from '#web/api/session.ts';
import { useFocusAfterRemoval } from '#web/ui/use-focus-after-removal.ts';
import type { CreatedUser } from '../contract.ts';
import { RevealablePassword } from './revealable-password.tsx';
import type { FormDraftOptions } from '#web/drafts/form-draft.ts';

const CREATED = 'User created successfully';
const FAILED = 'Failed to create user';

export function CreateUserForm({ levels }: { levels: readonly Level[] }) {
  const draft = useFormDraft(newUserDraft);
  const typed = draft.value;
  const change = (part: Partial<UserFormValues>) => draft.change({ ...draft.latest(), ...part });
  const user = {
    email: typed.email.trim(),
    firstName: typed.firstName.trim(),
    lastName: typed.lastName.trim(),
    transmissionLevels: resolveChosenLevels(typed.transmissionLevels, levels),
  };
  const create = useMutation({
    mutationFn: ({ body }: { typed: UserFormValues; body: typeof user }) =>
      callApi('POST /api/admin/create-user-with-credentials', { body }),
    meta: { refreshes: ['/api/admin/users', '/api/admin/audit-log'] },
    onSuccess: (created, sent) => {
      addCreatedUser(created);
      // Keeps anything typed since the request was sent, because it is for the next user.
      if (draft.latest() === sent.typed) change(EMPTY_USER);
      toast({ title: CREATED, description: 'The password is displayed below.' });
    },
    onError: (error) => {
      if (error.status === 409 && error.serverMessage) form.show({ email: error.serverMessage });
      else form.showServerErrors(error);
      toast({
        title: FAILED,
        description: getErrorMessage(error, 'Please try again.'),
        variant: 'destructive',
      });
    },
  });

  const form = useForm({
    values: user,
    schema: async () => (await import('../contract.ts')).usersApi.create.body,
    onValid: (body) => create.mutate({ typed, body }),
    onInvalid: (problems) => {
      create.reset();
      if (isIncomplete(problems)) toast({ title: INCOMPLETE_USER_MESSAGE, variant: 'destructive' });
    },
  });
  /**
   * Returns the error to show at a field. Replaces the contract's shared message for missing fields with one
   * that names the field.
   */
  const errorAt = (name: keyof typeof user) =>
    form.problems[name] === INCOMPLETE_USER_MESSAGE ? MISSING_USER_FIELD_MESSAGES[name] : form.problems[name];
  const field = (name: 'email' | 'firstName' | 'lastName') => ({
    name,
    value: typed[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => change({ [name]: target.value }),
    autoComplete: 'off',
    'aria-required': true,
    error: errorAt(name),
  });

  return (
    <>
      <form {...form.props} className="grid gap-5">
        <TextField label="Email" type="email" autoCapitalize="none" maxLength={254} {...field('email')} />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField label="First name" limit={MAX_NAME_LENGTH} {...field('firstName')} />
          <TextField label="Last name" limit={MAX_NAME_LENGTH} {...field('lastName')} />
        </div>
        <LevelCheckboxes
          levels={levels}
          selected={user.transmissionLevels}
          onChange={(transmissionLevels) => change({ transmissionLevels })}
          error={errorAt('transmissionLevels')}
        />
        {isIncomplete(form.problems) && <Notice tone="danger">{INCOMPLETE_USER_MESSAGE}</Notice>}
        {create.isError && (
          <Notice tone="danger" title={FAILED}>
            {explainError(create.error, 'Please try again.', 'What you typed is still here.')}
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

// A password is returned only once. It is stored only in the query cache, so that it survives navigation and
// is dropped at sign-out.
const CREATED_USERS_KEY = ['created-users'] as const;

const addCreatedUser = (created: CreatedUser) =>
  queryClient.setQueryData<CreatedUser[]>(CREATED_USERS_KEY, (before = []) => [created, ...before]);

const removeCreatedUser = (id: string) =>
  queryClient.setQueryData<CreatedUser[]>(CREATED_USERS_KEY, (before = []) =>
    before.filter(({ user }) => user.id !== id),
  );

/** Credentials created on this page, newest first, until each is cleared. */
function CreatedUsers() {
  const { data = [] } = useQuery<CreatedUser[]>({ queryKey: CREATED_USERS_KEY, queryFn: skipToken });
  const place = useRef<HTMLDivElement>(null);
  useFocusAfterRemoval(
    place,
    data.map(({ user }) => user.id),
  );
  return (
    <div ref={place}>
      <div role="status" tabIndex={-1} data-when-empty="" className="grid gap-4 not-empty:mt-6">
        {data.map(({ user, password }) => (
          <section
            key={user.id}
            aria-label={`Credentials for ${formatDisplayName(user)}`}
            className="rounded-md border-s-4 border-jade-ink bg-jade-ground p-4"
          >
            <h3 tabIndex={-1} data-item={user.id} className="text-lg break-words text-jade-ink">
              <bdi>{formatDisplayName(user)}</bdi> can sign in now
            </h3>
            <p className="mb-3 text-sm break-words text-jade-ink">{user.email}</p>
            <dl className="text-sm">
              <dt className="font-semibold">Username</dt>
              <dd className="mb-3 text-base break-all select-all">{user.username}</dd>
            </dl>
            <RevealablePassword password={password} />
            <p className="mt-3 text-sm">It’s shown only once, so copy it before you clear it or leave.</p>
            <Button className="mt-3" onClick={() => removeCreatedUser(user.id)}>
              Clear
            </Button>
          </section>
        ))}
      </div>
    </div>
  );
}

type UserFormValues = {
  email: string;
  firstName: string;
  lastName: string;
  transmissionLevels: ChosenLevels;
};

const EMPTY_USER: UserFormValues = { email: '', firstName: '', lastName: '', transmissionLevels: null };

const newUserDraft: FormDraftOptions<UserFormValues> = {
  name: 'new user',
  restore: (kept) => ({ ...EMPTY_USER, ...kept }),
  // The levels alone are not worth storing.
  toStored: (typed) => (typed.email || typed.firstName || typed.lastName ? typed : null),
};

const isIncomplete = (problems: object) => Object.values(problems).includes(INCOMPLETE_USER_MESSAGE);
