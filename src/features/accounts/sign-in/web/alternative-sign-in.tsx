import { useQuery } from '@tanstack/react-query';
import { callApi, getErrorMessage } from '#web/api/call.ts';
import { Notice } from '#web/ui/notice.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { CodeSignIn } from './code-sign-in.tsx';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import { ConfirmAccountStep } from './confirm-account-step.tsx';
import { EmailLinkSignIn } from './email-link-sign-in.tsx';
import type { OneTimeToken, AlternativeSignInView } from './methods.ts';

/** Renders the chosen alternative to signing in with a name and password alone. */
export default function AlternativeSignIn({
  shown,
  onBack,
}: {
  shown: AlternativeSignInView;
  onBack: () => void;
}) {
  const { credentials, name = '' } = shown;
  const given = parseFragment(shown.fragment);
  const method = given?.kind ?? shown.method;
  if (credentials)
    return (
      <PasskeySignIn
        title="Confirm with your passkey"
        send={(passkey) => callApi('POST /api/login', { body: { ...credentials, passkey } })}
        onBack={onBack}
      >
        Your account also requires a passkey.
      </PasskeySignIn>
    );
  if (method === 'passkey')
    return (
      <PasskeySignIn
        title="Use a passkey"
        send={(passkey) => callApi('POST /api/sign-in/passkey', { body: { passkey } })}
        onBack={onBack}
      >
        Your device will ask for your fingerprint, face or PIN, then sign you in.
      </PasskeySignIn>
    );
  const start =
    method === 'code' ? <CodeSignIn onBack={onBack} /> : <EmailLinkSignIn name={name} onBack={onBack} />;
  return given ? <TokenSignIn {...{ given, start, onBack }} /> : start;
}

function parseFragment(fragment = ''): OneTimeToken | null {
  const [kind, token = ''] = fragment.split('=');
  return kind === 'link' || kind === 'code' ? { kind, token } : null;
}

type TokenSignInProps = { given: OneTimeToken; start: React.ReactNode; onBack: () => void };

/** Requires a confirmation before signing in, because programs that scan email also open links. */
function TokenSignIn({ given, start, onBack }: TokenSignInProps) {
  const owner = useQuery({
    queryKey: ['whom to sign in', given.token],
    queryFn: ({ signal }) => callApi('POST /api/sign-in/one-time/owner', { body: given, signal }),
  });
  if (owner.data) return <ConfirmAccountStep given={given} owner={owner.data} onBack={onBack} />;
  if (owner.isPending)
    return (
      <p role="status" className="flex min-h-40 items-center justify-center gap-3 pt-7">
        <Spinner /> One moment…
      </p>
    );
  return (
    <>
      <Notice tone="danger" className="mt-7">
        {getErrorMessage(owner.error, 'This didn’t work. Please try again.')}
      </Notice>
      {start}
    </>
  );
}
