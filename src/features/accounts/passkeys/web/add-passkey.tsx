import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/query-client.ts';
import { sessionQuery } from '#web/api/session.ts';
import { toast } from '#web/ui/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { NAME_REQUIRED, PASSKEY_NAME_MAX, PASSKEYS_MAX } from '../limits.ts';
import { madePasskey, passkeyFailure } from './authenticator.ts';

const ADDED = 'Your passkey was added. You can sign in with it from now on.';

export function AddPasskey({ count }: { count: number }) {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const add = useMutation<unknown, Error, string>({
    mutationFn: async (given) => {
      const passkey = await madePasskey(await call('POST /api/user/passkeys/challenge'));
      return call('POST /api/user/passkeys', { body: { name: given, passkey } });
    },
    meta: { refreshes: ['/api/user/passkeys'] },
    onSuccess: () => {
      setName('');
      toast({ title: 'Passkey Added' });
      queryClient.setQueryData(sessionQuery.queryKey, (user) => user && { ...user, suggestPasskey: false });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setProblem(name.trim() === '' ? NAME_REQUIRED : null);
    if (name.trim() === '') event.currentTarget.querySelector('input')?.focus();
    else add.mutate(name.trim());
  };
  if (count >= PASSKEYS_MAX)
    return <p className="mt-4 text-soft">You have {PASSKEYS_MAX} passkeys, as many as there may be.</p>;
  return (
    <form noValidate onSubmit={submit} className="mt-5 grid gap-4">
      <TextField
        label="Name of the new passkey"
        name="passkey-name"
        value={name}
        onChange={(event) => setName(event.target.value)}
        maxLength={PASSKEY_NAME_MAX}
        autoComplete="off"
        aria-required
        hint="Such as ‘My phone’, so that you know it again."
        error={problem}
      />
      {add.isError && <Notice tone="danger">{passkeyFailure(add.error)}</Notice>}
      {add.isSuccess && <Notice tone="success">{ADDED}</Notice>}
      <Button type="submit" busy={add.isPending} className="justify-self-start max-sm:w-full">
        Add a passkey
      </Button>
    </form>
  );
}
