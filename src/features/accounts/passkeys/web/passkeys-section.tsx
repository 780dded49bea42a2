import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { apiQuery } from '#web/api/query-client.ts';
import { useUser } from '#web/api/session.ts';
import { Card } from '#web/ui/card.tsx';
import { useFocusAfterLeaving } from '#web/ui/focus-after-leaving.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SkeletonList } from '#web/ui/skeleton.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { PasskeyRow } from './passkey-row.tsx';
import { usePasskeysWork } from './passkeys-work.ts';
import { SecondFactor } from './second-factor.tsx';

/** One's own passkeys. */
export function PasskeysSection() {
  const { role } = useUser();
  const work = usePasskeysWork();
  const around = useRef<HTMLDivElement>(null);
  const { data, error, isFetching, refetch } = useQuery(apiQuery('GET /api/user/passkeys'));
  useFocusAfterLeaving(
    around,
    (data ?? []).map(({ id }) => id),
  );
  return (
    <div ref={around}>
      <Card as="section" aria-labelledby="passkeys">
        <h2 id="passkeys" tabIndex={-1} data-when-empty className="text-2xl">
          Passkeys
        </h2>
        <p className="mt-1 text-soft">
          Sign in with your fingerprint, your face or your device’s PIN. Passkeys stay when you change your
          password.
        </p>
        {!data && !error && (
          <SkeletonList count={1} label="Loading your passkeys..." className="mt-4" itemClassName="h-12" />
        )}
        {!data && error && (
          <LoadFailure
            sentence="Your passkeys could not be loaded."
            error={error}
            isTrying={isFetching}
            onTryAgain={() => void refetch()}
          />
        )}
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
            This browser, or this address, has no passkeys.
          </Notice>
        )}
        {data && data.length > 0 && role === 'admin' && work && <SecondFactor />}
      </Card>
    </div>
  );
}
