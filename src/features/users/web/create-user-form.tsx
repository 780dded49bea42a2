import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { call, type CallError, sentenceOf } from '../../../platform/web/call.ts';
import { toast } from '../../../platform/web/toasts.ts';
import { Button } from '../../../platform/web/ui/button.tsx';
import { TextField } from '../../../platform/web/ui/field.tsx';
import { Notice } from '../../../platform/web/ui/notice.tsx';
import type { Level } from '../../levels/contract.ts';
import { LevelCheckboxes, tickedBeforehand } from '../../levels/web/level-checkboxes.tsx';
import { INCOMPLETE_USER, NAME_MAX } from '../limits.ts';
import { CreatedUsers, keepCreatedUser } from './created-users.tsx';

const CREATED = 'User created successfully';

type NewUser = { email: string; firstName: string; lastName: string; transmissionLevels: number[] };
type Problems = Partial<Record<keyof NewUser, string>>;

export function CreateUserForm({ levels }: { levels: readonly Level[] }) {
  const form = useRef<HTMLFormElement>(null);
  const [chosen, setChosen] = useState(() => tickedBeforehand(levels));
  const [problems, setProblems] = useState<Problems>({});
  const create = useMutation({
    mutationFn: (body: NewUser) => call('POST /api/admin/create-user-with-credentials', { body }),
    meta: { refreshes: ['/api/admin/users', '/api/admin/audit-log'] },
    onSuccess: (created) => {
      keepCreatedUser(created);
      form.current?.reset();
      setChosen(tickedBeforehand(levels));
      toast({ title: CREATED, description: 'The password is displayed below.' });
    },
    onError: (error) => {
      const found = problemsIn(error);
      setProblems(found);
      focusFirst(form.current, found);
      toast({ title: failureOf(error), variant: 'destructive' });
    },
  });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const user = { ...typedIn(event.currentTarget), transmissionLevels: [...chosen] };
    const found = missingIn(user, event.currentTarget);
    setProblems(found);
    create.reset();
    if (Object.keys(found).length === 0) return create.mutate(user);
    focusFirst(event.currentTarget, found);
    if (isIncomplete(user)) toast({ title: INCOMPLETE_USER, variant: 'destructive' });
  };

  const isMarked = Object.keys(problems).length > 0;
  return (
    <>
      <form ref={form} noValidate onSubmit={submit} className="grid gap-5">
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          aria-required
          maxLength={254}
          error={problems.email}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label="First name"
            name="firstName"
            autoComplete="off"
            aria-required
            maxLength={NAME_MAX}
            error={problems.firstName}
          />
          <TextField
            label="Last name"
            name="lastName"
            autoComplete="off"
            aria-required
            maxLength={NAME_MAX}
            error={problems.lastName}
          />
        </div>
        <LevelCheckboxes
          levels={levels}
          chosen={chosen}
          onChange={setChosen}
          error={problems.transmissionLevels}
        />
        {isMarked && !create.isError && <Notice tone="danger">{INCOMPLETE_USER}</Notice>}
        {create.isError && (
          <Notice tone="danger" title={failureOf(create.error)}>
            Nothing was lost: what you typed is still here.
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

function typedIn(form: HTMLFormElement) {
  const typed = new FormData(form);
  const text = (name: string) => {
    const value = typed.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  return { email: text('email'), firstName: text('firstName'), lastName: text('lastName') };
}

const isIncomplete = ({ email, firstName, lastName, transmissionLevels }: NewUser) =>
  email === '' || firstName === '' || lastName === '' || transmissionLevels.length === 0;

function missingIn(user: NewUser, form: HTMLFormElement): Problems {
  const isEmail = form.querySelector<HTMLInputElement>('[name=email]')?.validity.valid ?? true;
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

function focusFirst(form: HTMLFormElement | null, problems: Problems) {
  const first = Object.keys(problems)[0];
  if (first) form?.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
}

const failureOf = (error: unknown) => sentenceOf(error, 'Failed to create user');

const FIELDS: readonly string[] = ['email', 'firstName', 'lastName', 'transmissionLevels'];

const problemsIn = ({ issues, status, serverMessage }: CallError): Problems =>
  status === 409 && serverMessage
    ? { email: serverMessage }
    : Object.fromEntries(
        issues
          .map(({ path, message }) => [path.split('.')[0] ?? '', message] as const)
          .filter(([field]) => FIELDS.includes(field)),
      );
