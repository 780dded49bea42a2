import { useRef } from 'react';
import { skipToken, useQuery } from '@tanstack/react-query';
import { queryClient } from '#web/api/query-client.ts';
import { displayName } from '#web/api/session.ts';
import { Button } from '#web/ui/button.tsx';
import { useFocusAfterLeaving } from '#web/ui/focus-after-leaving.ts';
import type { CreatedUser } from '../contract.ts';
import { CreatedPassword } from './created-password.tsx';

// A password is returned once. In the query cache, and nowhere else, it survives navigation and is dropped at sign-out.
const KEY = ['created-users'] as const;

export const keepCreatedUser = (created: CreatedUser) =>
  queryClient.setQueryData<CreatedUser[]>(KEY, (before = []) => [created, ...before]);

const clear = (id: string) =>
  queryClient.setQueryData<CreatedUser[]>(KEY, (before = []) => before.filter(({ user }) => user.id !== id));

/** The credentials created on this page, newest first, until each is cleared. */
export function CreatedUsers() {
  const { data = [] } = useQuery<CreatedUser[]>({ queryKey: KEY, queryFn: skipToken });
  const place = useRef<HTMLDivElement>(null);
  useFocusAfterLeaving(
    place,
    data.map(({ user }) => user.id),
  );
  return (
    <div ref={place}>
      <div role="status" tabIndex={-1} data-when-empty="" className="grid gap-4 not-empty:mt-6">
        {data.map(({ user, password }) => (
          <section
            key={user.id}
            aria-label={`Credentials of ${displayName(user)}`}
            className="rounded-md border-s-4 border-jade-ink bg-jade-ground p-4"
          >
            <h3 tabIndex={-1} data-item={user.id} className="text-lg break-words text-jade-ink">
              <bdi>{displayName(user)}</bdi> can sign in now
            </h3>
            <p className="mb-3 text-sm break-words text-jade-ink">{user.email}</p>
            <dl className="text-sm">
              <dt className="font-semibold">Username</dt>
              <dd className="mb-3 text-base break-all select-all">{user.username}</dd>
            </dl>
            <CreatedPassword password={password} />
            <p className="mt-3 text-sm">It is shown only here: copy it before you clear it or leave.</p>
            <Button className="mt-3" onClick={() => clear(user.id)}>
              Clear
            </Button>
          </section>
        ))}
      </div>
    </div>
  );
}
