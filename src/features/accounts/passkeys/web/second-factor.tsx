import { useMutation } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/query-client.ts';
import { sessionQuery, useUser } from '#web/api/session.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { passkeyFailure, usedPasskey } from './authenticator.ts';

/** A teacher's choice: saved once it has been confirmed with a passkey, either way. */
export function SecondFactor() {
  const { asksForPasskey } = useUser();
  const choose = useMutation<unknown, Error, boolean>({
    mutationFn: async (isOn) =>
      call('PUT /api/user/passkey-second-factor', { body: { isOn, passkey: await usedPasskey() } }),
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
        hint="Also after a mailed link or a code. If you lose your passkeys, whoever runs the server can let you in again."
        checked={asksForPasskey}
        disabled={choose.isPending}
        onChange={(event) => choose.mutate(event.target.checked)}
      />
      {choose.isError && (
        <p role="alert" className="mt-1 text-sm font-semibold text-danger">
          {passkeyFailure(choose.error)}
        </p>
      )}
    </div>
  );
}
