import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { getOwnerOnlyMessage } from '#shared/owner-only.ts';
import { type ApiResponse, callApi, getErrorMessage } from '#web/api/call.ts';
import { useSignOut } from '#web/layout/sign-out.ts';
import { createApiQuery } from '#web/api/query-client.ts';
import { useUser } from '#web/api/session.ts';
import { toast } from '#web/ui/toasts.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { useFocusAfterRemoval } from '#web/ui/use-focus-after-removal.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SkeletonList } from '#web/ui/skeleton.tsx';
import { TimeAgo, ExactDate } from '#web/ui/time-ago.tsx';

type Session = ApiResponse<'GET /api/user/sessions'>[number];

const REFRESHED_PATHS = ['/api/user/sessions'] as const;

/** Lists the devices on which the user is signed in, with a button to sign each out. */
export function OwnSessions() {
  const { codeShownBy, role } = useUser();
  return (
    <Card as="section" aria-labelledby="devices" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div>
        <h2 id="devices" className="text-2xl">
          Your devices
        </h2>
        <p className="mt-1 text-soft">
          You’re signed in on these devices. If you don’t recognise one, sign it out, then change your
          password.
        </p>
      </div>
      {codeShownBy === null ? <Sessions /> : <Notice tone="amber">{getOwnerOnlyMessage(codeShownBy)}</Notice>}
      <SignOutElsewhere />
      {role === 'student' && <CodeSignIns />}
    </Card>
  );
}

function Sessions() {
  const sessions = useQuery(createApiQuery('GET /api/user/sessions'));
  const { data, error } = sessions;
  const around = useRef<HTMLDivElement>(null);
  useFocusAfterRemoval(
    around,
    (data ?? []).map(({ id }) => id),
  );
  if (!data && error) return <LoadFailure sentence="Your devices could not be loaded." of={sessions} />;
  if (!data) return <SkeletonList count={1} label="Loading your devices..." itemClassName="h-16" />;
  return (
    <div ref={around}>
      <ul className="divide-y divide-line border-y border-line">
        {data.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      <p className="mt-2 text-sm text-soft">
        The network address is the number of an internet connection. It doesn’t say where the device was.
      </p>
    </div>
  );
}

function SessionRow({ session: { id, device, address, seenAt, isCurrent } }: { session: Session }) {
  const name = toSentenceCase(device ?? UNKNOWN_DEVICE);
  const signOut = useSignOut();
  const end = useMutation({
    mutationFn: () => callApi('DELETE /api/user/sessions/{id}', { params: { id } }),
    meta: { refreshes: REFRESHED_PATHS },
    onSuccess: () => toast({ title: 'That device is signed out' }),
  });
  const isBusy = end.isPending || signOut.isPending;
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-0 grow basis-56">
          <p className="flex flex-wrap items-center gap-x-2 font-semibold">
            {name}
            {isCurrent && <Badge tone="info">This device</Badge>}
          </p>
          <p className="text-sm text-soft">
            Last used <TimeAgo time={seenAt} />
            {address && (
              <>
                {', '}
                <span className="wrap-anywhere">network address {address}</span>
              </>
            )}
          </p>
        </div>
        <Button
          data-item={id}
          variant="quiet"
          busy={isBusy}
          className="max-sm:-ms-3"
          aria-label={isCurrent ? 'Sign out on this device' : `Sign out: ${name}`}
          onClick={() => (isCurrent ? signOut.mutate() : end.mutate())}
        >
          Sign out
        </Button>
      </div>
      {end.isError && (
        <p role="alert" className="text-sm font-semibold text-danger">
          {getErrorMessage(end.error, 'This did not work. Please try again.')}
        </p>
      )}
    </li>
  );
}

const UNKNOWN_DEVICE = 'an unknown device';
const toSentenceCase = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** Lists the sign-ins with a teacher's code, if there are any. */
function CodeSignIns() {
  const { data = [] } = useQuery(createApiQuery('GET /api/user/code-sign-ins'));
  if (data.length === 0) return null;
  return (
    <Notice isQuiet title="Sign-ins with a teacher’s code">
      <ul className="grid gap-1">
        {data.map(({ shownBy, device, at }) => (
          <li key={at}>
            <ExactDate time={at} />: {device}, with a code from <bdi>{shownBy}</bdi>
          </li>
        ))}
      </ul>
      <p className="mt-2">If this wasn’t you, ask your teacher.</p>
    </Notice>
  );
}

const SIGNED_OUT = 'You are signed out everywhere else.';
const SIGN_OUT_FAILED = 'Couldn’t sign out your other devices';

function SignOutElsewhere() {
  const end = useMutation({
    mutationFn: () => callApi('POST /api/user/sign-out-elsewhere'),
    meta: { refreshes: ['/api/user/sessions'] },
    onSuccess: () => toast({ title: SIGNED_OUT }),
    onError: (error) =>
      toast({ title: SIGN_OUT_FAILED, description: toFailureMessage(error), variant: 'destructive' }),
  });
  return (
    <div className="grid gap-3">
      {end.isError && (
        <Notice tone="danger" title={SIGN_OUT_FAILED}>
          {toFailureMessage(end.error)}
        </Notice>
      )}
      {end.isSuccess && <Notice tone="success">{SIGNED_OUT}</Notice>}
      <Button busy={end.isPending} onClick={() => end.mutate()} className="justify-self-start max-sm:w-full">
        Sign out everywhere else
      </Button>
    </div>
  );
}

const toFailureMessage = (error: unknown) => getErrorMessage(error, 'Please try again.');
