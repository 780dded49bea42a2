import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef } from 'react';
import { callApi, getErrorMessage } from '#web/api/call.ts';
import type { IdentityProofRequest } from '#web/api/identity-proof-request.ts';
import { createApiQuery } from '#web/api/query-client.ts';
import { useUser } from '#web/api/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { PasswordField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { describePasskeyFailure, requestPasskey } from '#features/accounts/passkeys/web/authenticator.ts';
import { usePasskeysSupported } from '#features/accounts/passkeys/web/use-passkeys-supported.ts';

/** Asks for the password or a passkey before an action that affects who can get into an account. */
export default function ConfirmIdentityDialog({ request }: { request: IdentityProofRequest }) {
  const { asksForPasskey, username } = useUser();
  const input = useRef<HTMLInputElement>(null);
  const passkeyButton = useRef<HTMLButtonElement>(null);
  const passkeysWork = usePasskeysSupported();
  const { data: passkeys = [] } = useQuery(createApiQuery('GET /api/user/passkeys'));
  const byPassword = useMutation({
    mutationFn: (password: string) => callApi('POST /api/user/proof', { body: { password } }),
    meta: { refreshes: [] },
    onSuccess: () => request.settle(true),
    onError: () => input.current?.select(),
  });
  const byPasskey = useMutation<unknown, Error>({
    mutationFn: async () => callApi('POST /api/user/proof', { body: { passkey: await requestPasskey() } }),
    meta: { refreshes: [] },
    onSuccess: () => request.settle(true),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    byPassword.mutate(input.current?.value ?? '');
  };
  const problem = byPassword.isError
    ? getErrorMessage(byPassword.error, 'That didn’t work. Please try again.')
    : null;
  return (
    <Dialog
      isOpen
      isOnTop
      initialFocus={asksForPasskey ? passkeyButton : input}
      onOpenChange={() => request.settle(false)}
      title="Confirm it’s you"
      description={
        asksForPasskey
          ? 'Please use your passkey. This protects your account if you leave your device open.'
          : 'Please enter your password. This protects your account if you leave your device open.'
      }
      actions={
        <>
          <Button onClick={() => request.settle(false)}>Cancel</Button>
          {asksForPasskey ? (
            passkeysWork && (
              <Button
                ref={passkeyButton}
                variant="primary"
                busy={byPasskey.isPending}
                onClick={() => byPasskey.mutate()}
              >
                Use my passkey
              </Button>
            )
          ) : (
            <Button type="submit" form="confirm-identity" variant="primary" busy={byPassword.isPending}>
              Confirm
            </Button>
          )}
        </>
      }
    >
      <div className="grid gap-4">
        {!asksForPasskey && (
          <form id="confirm-identity" noValidate onSubmit={submit}>
            {/* Shows password managers which account's password to fill in. */}
            <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
            <PasswordField
              ref={input}
              label="Your password"
              name="password"
              autoComplete="current-password"
              aria-required
              error={problem}
            />
          </form>
        )}
        {!asksForPasskey && passkeysWork && passkeys.length > 0 && (
          <Button
            busy={byPasskey.isPending}
            onClick={() => byPasskey.mutate()}
            className="sm:justify-self-start"
          >
            Use a passkey instead
          </Button>
        )}
        {asksForPasskey && !passkeysWork && (
          <Notice>
            You can’t use passkeys in this browser or at this web address. Please use a device that has your
            passkey.
          </Notice>
        )}
        {byPasskey.isError && <Notice tone="danger">{describePasskeyFailure(byPasskey.error)}</Notice>}
      </div>
    </Dialog>
  );
}
