import type { Db } from '../../../db/database.ts';
import { AppError } from '../../../platform/contract/errors.ts';
import type { Attempts } from '../../../platform/server/attempts.ts';
import type { Clock } from '../../../platform/server/clock.ts';
import * as store from './store.ts';

const WINDOW_MS = 60 * 60 * 1000;
const MOST_FOR_EMAIL = 5;
const MOST_FROM_ADDRESS = 300;

export type RegistrationsService = ReturnType<typeof registrationsService>;

export function registrationsService({ db, attempts, clock }: { db: Db; attempts: Attempts; clock: Clock }) {
  return {
    /**
     * Stores a request for access, once; says nothing of whether the email is known.
     * @throws AppError 'too-many'
     */
    async request(request: { fullName: string; email: string }, address: string) {
      const now = clock();
      const since = new Date(now.getTime() - WINDOW_MS);
      await attempts.note(
        { kind: 'registration', subject: request.email, address },
        { since, now },
        (before) => {
          if (before.subject.count < MOST_FOR_EMAIL && before.address.count < MOST_FROM_ADDRESS) return;
          throw new AppError('too-many', 'Too many requests. Please try again in an hour.', {
            retryAfter: WINDOW_MS / 1000,
          });
        },
      );
      await store.insertPending(db, request);
    },
  };
}
