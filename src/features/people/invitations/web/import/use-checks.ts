import { useEffect, useState } from 'react';
import { call, noteFault, sentenceOf } from '#web/api/call.ts';
import { INVITES_MAX } from '#features/people/invitations/limits.ts';
import type { Checked } from './import-plan.ts';
import type { Person } from './people.ts';

const keyOf = ({ email, firstName, lastName }: Person) => JSON.stringify([email, firstName, lastName]);

/** Asks the server about each person once, in batches: whether the fields are valid and who has an account. */
export function useChecks(people: readonly Person[]) {
  const [known, setKnown] = useState<ReadonlyMap<string, Checked>>(new Map());
  const [failure, setFailure] = useState<string | null>(null);
  const missing = people.filter((person) => !known.has(keyOf(person)));
  const asked = missing.slice(0, INVITES_MAX);
  const keys = asked.map(keyOf).join('\n');

  useEffect(() => {
    if (keys === '' || failure !== null) return;
    const controller = new AbortController();
    const invites = keys.split('\n').map((key) => {
      const [email, firstName, lastName] = JSON.parse(key) as [string, string, string | null];
      return { email, firstName, lastName };
    });
    const check = async () => {
      try {
        const { results } = await call('POST /api/admin/invite-users/check', {
          body: { invites },
          signal: controller.signal,
        });
        const found = keys.split('\n').map((key, index) => [key, results[index]!] as const);
        if (!controller.signal.aborted) setKnown((before) => new Map([...before, ...found]));
      } catch (error) {
        if (controller.signal.aborted) return;
        noteFault(error);
        setFailure(sentenceOf(error, 'The people could not be looked up.'));
      }
    };
    void check();
    return () => controller.abort();
  }, [keys, failure]);

  return {
    checkedOf: (person: Person) => known.get(keyOf(person)),
    isChecking: missing.length > 0 && failure === null,
    failure,
    tryAgain: () => setFailure(null),
    /** Forgets all answers: somebody who was new may have been invited since. */
    reset() {
      setKnown(new Map());
      setFailure(null);
    },
  };
}
