import { whyAnd } from '#web/ui/sentences.ts';
import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import { call, sentenceOf } from '#web/api/call.ts';
import { useDraft } from '#web/drafts/use-draft.ts';
import { toast } from '#web/ui/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import { givenLevels } from '#features/people/levels/web/chosen-levels.ts';
import { LevelCheckboxes } from '#features/people/levels/web/level-checkboxes.tsx';
import { INCOMPLETE_USER } from '../limits.ts';
import { NAME_MAX } from '#features/accounts/limits.ts';
import { CreatedUsers, keepCreatedUser } from './created-users.tsx';
import {
  isIncomplete,
  newUserDraft,
  NOBODY,
  problemsOf,
  refusalsIn,
  trimmed,
  type TypedUser,
  type UserProblems,
} from './new-user.ts';

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
