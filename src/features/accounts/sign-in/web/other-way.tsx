import { useQuery } from '@tanstack/react-query';
import { call, sentenceOf } from '#web/api/call.ts';
import { Notice } from '#web/ui/notice.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { ByCode } from './by-code.tsx';
import { ByPasskey } from './by-passkey.tsx';
import { ConfirmOwner } from './confirm-owner.tsx';
import { MailLink } from './mail-link.tsx';
import type { OneTime, Shown } from './ways.ts';

/** Ways to sign in other than by name and password alone. */
export default function OtherWay({ shown, onBack }: { shown: Shown; onBack: () => void }) {
  const { credentials, name = '' } = shown;
  const given = givenBy(shown.fragment);
  const way = given?.kind ?? shown.way;
  if (credentials)
    return (
      <ByPasskey
        title="Confirm with your passkey"
        send={(passkey) => call('POST /api/login', { body: { ...credentials, passkey } })}
        onBack={onBack}
      >
        Your account also requires a passkey.
      </ByPasskey>
    );
  if (way === 'passkey')
    return (
      <ByPasskey
        title="Use a passkey"
        send={(passkey) => call('POST /api/sign-in/passkey', { body: { passkey } })}
        onBack={onBack}
      >
        Your device will ask for your fingerprint, face or PIN, then sign you in.
      </ByPasskey>
    );
  const start = way === 'code' ? <ByCode onBack={onBack} /> : <MailLink name={name} onBack={onBack} />;
  return given ? <Given {...{ given, start, onBack }} /> : start;
}

function givenBy(fragment = ''): OneTime | null {
  const [kind, token = ''] = fragment.split('=');
  return kind === 'link' || kind === 'code' ? { kind, token } : null;
}

type GivenProps = { given: OneTime; start: React.ReactNode; onBack: () => void };

/** Asks before signing in, because programs that scan mail open links too. */
function Given({ given, start, onBack }: GivenProps) {
  const owner = useQuery({
    queryKey: ['whom to sign in', given.token],
    queryFn: ({ signal }) => call('POST /api/sign-in/one-time/owner', { body: given, signal }),
  });
  if (owner.data) return <ConfirmOwner given={given} owner={owner.data} onBack={onBack} />;
  if (owner.isPending)
    return (
      <p role="status" className="flex min-h-40 items-center justify-center gap-3 pt-7">
        <Spinner /> One moment…
      </p>
    );
  return (
    <>
      <Notice tone="danger" className="mt-7">
        {sentenceOf(owner.error, 'This didn’t work. Please try again.')}
      </Notice>
      {start}
    </>
  );
}
