import { useQuery } from '@tanstack/react-query';
import { call, sentenceOf } from '../../../platform/web/call.ts';
import { Notice } from '../../../platform/web/ui/notice.tsx';
import { Spinner } from '../../../platform/web/ui/spinner.tsx';
import { ByCode } from './by-code.tsx';
import { ByPasskey } from './by-passkey.tsx';
import { ConfirmOwner } from './confirm-owner.tsx';
import { MailLink } from './mail-link.tsx';
import type { Credentials, OneTime, Way } from './ways.ts';

type OtherWayProps = {
  way: Way;
  /** What the address brought along. */
  given: OneTime | null;
  /** What the form was sent with, if a passkey is asked for beside it. */
  credentials: Credentials | null;
  /** What had been typed for a name already. */
  name: string;
  onBack: () => void;
};

/** Signing in without typing a password. */
export default function OtherWay({ way, given, credentials, name, onBack }: OtherWayProps) {
  if (credentials)
    return (
      <ByPasskey
        title="Confirm with your passkey"
        send={(passkey) => call('POST /api/login', { body: { ...credentials, passkey } })}
        onBack={onBack}
      >
        Your account asks for a passkey after the password.
      </ByPasskey>
    );
  if (way === 'passkey')
    return (
      <ByPasskey
        title="Use a passkey"
        send={(passkey) => call('POST /api/sign-in/passkey', { body: { passkey } })}
        onBack={onBack}
      >
        Your device asks for your fingerprint, your face or its PIN, and you are signed in.
      </ByPasskey>
    );
  const start = way === 'link' ? <MailLink name={name} onBack={onBack} /> : <ByCode onBack={onBack} />;
  return given?.kind === way ? <Given key={given.token} {...{ given, start, onBack }} /> : start;
}

type GivenProps = { given: OneTime; start: React.ReactNode; onBack: () => void };

/** Opening a link signs nobody in: programs that look through mail open it too. */
function Given({ given, start, onBack }: GivenProps) {
  const owner = useQuery({
    queryKey: ['whom to sign in', given.token],
    queryFn: ({ signal }) => call('POST /api/sign-in/one-time/owner', { body: given, signal }),
  });
  if (owner.data) return <ConfirmOwner given={given} owner={owner.data} onBack={onBack} />;
  if (owner.isPending)
    return (
      <p role="status" className="flex min-h-40 items-center justify-center gap-3 pt-7">
        <Spinner /> One moment …
      </p>
    );
  return (
    <>
      <Notice tone="danger" className="mt-7">
        {sentenceOf(owner.error, 'This did not work. Please open it again.')}
      </Notice>
      {start}
    </>
  );
}
