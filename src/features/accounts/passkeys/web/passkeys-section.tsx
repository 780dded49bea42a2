import { useQuery, useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { createApiQuery, queryClient } from '#web/api/query-client.ts';
import { useUser, sessionQuery } from '#web/api/session.ts';
import { useForm } from '#web/forms/use-form.ts';
import { Card } from '#web/ui/card.tsx';
import { useFocusAfterRemoval } from '#web/ui/use-focus-after-removal.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SkeletonList } from '#web/ui/skeleton.tsx';
import { PasskeyRow } from './passkey-row.tsx';
import { usePasskeysSupported } from './use-passkeys-supported.ts';
import { callApi } from '#web/api/call.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { describePasskeyFailure, requestPasskey, createPasskey } from './authenticator.ts';
import { toast } from '#web/ui/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { useFocusOnHash } from '#web/navigation/focus-on-hash.ts';
import { ADD_PASSKEY_ANCHOR, MAX_PASSKEY_NAME_LENGTH, PASSKEYS_ANCHOR, MAX_PASSKEYS } from '../limits.ts';

export function PasskeysSection() {
  const { role } = useUser();
  const work = usePasskeysSupported();
  const around = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusOnHash(PASSKEYS_ANCHOR, heading);
  const passkeys = useQuery(createApiQuery('GET /api/user/passkeys'));
  const { data, error } = passkeys;
  useFocusAfterRemoval(
    around,
    (data ?? []).map(({ id }) => id),
  );
  return (
    <div ref={around}>
      <Card as="section" aria-labelledby={PASSKEYS_ANCHOR}>
        <h2 ref={heading} id={PASSKEYS_ANCHOR} tabIndex={-1} data-when-empty className="text-2xl">
          Passkeys
        </h2>
        <p className="mt-1 text-soft">
          Sign in with your fingerprint, face or your device’s PIN. Changing your password doesn’t remove your
          passkeys.
        </p>
        {!data && !error && (
          <SkeletonList count={1} label="Loading your passkeys..." className="mt-4" itemClassName="h-12" />
        )}
        {!data && error && <LoadFailure sentence="Your passkeys could not be loaded." of={passkeys} />}
        {data && data.length > 0 && (
          <ul className="mt-4 divide-y divide-line border-y border-line">
            {data.map((passkey) => (
              <PasskeyRow key={passkey.id} passkey={passkey} />
            ))}
          </ul>
        )}
        {data && work && <AddPasskey count={data.length} />}
        {!work && (
          <Notice isQuiet className="mt-4">
            You can’t use passkeys in this browser or at this web address.
          </Notice>
        )}
        {data && data.length > 0 && role === 'admin' && work && <SecondFactor />}
      </Card>
    </div>
  );
}

/**
 * Lets a teacher turn the second factor on or off. The change is saved after the teacher confirms it with a
 * passkey.
 */
function SecondFactor() {
  const { asksForPasskey } = useUser();
  const choose = useMutation<unknown, Error, boolean>({
    mutationFn: async (isOn) =>
      callApi('PUT /api/user/passkey-second-factor', { body: { isOn, passkey: await requestPasskey() } }),
    onSuccess: (_answer, isOn) =>
      void queryClient.setQueryData(
        sessionQuery.queryKey,
        (user) => user && { ...user, asksForPasskey: isOn },
      ),
  });
  return (
    <div className="mt-5 border-t border-line pt-4">
      <Checkbox
        label="Ask for my passkey after the password"
        hint="You’ll also need it when you sign in with an emailed link or a code. If you lose your passkeys, whoever runs the server can help you sign in."
        checked={asksForPasskey}
        disabled={choose.isPending}
        onChange={(event) => choose.mutate(event.target.checked)}
      />
      {choose.isError && (
        <p role="alert" className="mt-1 text-sm font-semibold text-danger">
          {describePasskeyFailure(choose.error)}
        </p>
      )}
    </div>
  );
}

const NOT_ADDED = 'The passkey wasn’t added. Please try again.';
const ADDED = 'Your passkey was added. You can sign in with it from now on.';

function AddPasskey({ count }: { count: number }) {
  const [name, setName] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useFocusOnHash(ADD_PASSKEY_ANCHOR, field);
  const add = useMutation<unknown, Error, string>({
    mutationFn: async (given) => {
      const passkey = await createPasskey(await callApi('POST /api/user/passkeys/challenge'));
      return callApi('POST /api/user/passkeys', { body: { name: given, passkey } });
    },
    meta: { refreshes: ['/api/user/passkeys'] },
    onSuccess: () => {
      setName('');
      toast({ title: 'Passkey added' });
      queryClient.setQueryData(sessionQuery.queryKey, (user) => user && { ...user, suggestPasskey: false });
    },
  });
  const form = useForm({
    values: { name: name.trim() },
    schema: async () => (await import('../contract.ts')).passkeysApi.add.body.pick({ name: true }),
    onValid: (typed) => add.mutate(typed.name),
  });
  if (count >= MAX_PASSKEYS)
    return <p className="mt-4 text-soft">You have {MAX_PASSKEYS} passkeys, which is the limit.</p>;
  return (
    <form {...form.props} className="mt-5 grid gap-4">
      <TextField
        ref={field}
        label="Name of the new passkey"
        name="passkey-name"
        value={name}
        onChange={(event) => {
          setName(event.target.value);
          form.edit('name');
        }}
        limit={MAX_PASSKEY_NAME_LENGTH}
        autoComplete="off"
        aria-required
        hint="For example “My phone”, so that you recognise it."
        error={form.problems.name}
      />
      {add.isError && <Notice tone="danger">{describePasskeyFailure(add.error, NOT_ADDED)}</Notice>}
      {add.isSuccess && <Notice tone="success">{ADDED}</Notice>}
      <Button type="submit" busy={add.isPending} className="justify-self-start max-sm:w-full">
        Add a passkey
      </Button>
    </form>
  );
}
