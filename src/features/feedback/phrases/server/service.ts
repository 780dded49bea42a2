import { type Db, violates } from '#server/db/database.ts';
import { type BodyOf, nothingLeft } from '#shared/body.ts';
import { conflict, notFound } from '#shared/errors.ts';
import { announceChange } from '#server/db/changes.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { FeedbackService } from '#features/feedback/server/service.ts';
import type { MelodiesService } from '#features/melodies/server/service.ts';
import type { phrasesApi } from '../contract.ts';
import { ANSWERS_SEARCHED, PHRASES_MAX } from '../limits.ts';
import { offeredFrom } from './sentences.ts';
import * as store from './store.ts';

export type PhrasesService = ReturnType<typeof phrasesService>;

type Kept = BodyOf<typeof phrasesApi.add>;
type Admin = Pick<Caller, 'id' | 'role'>;

/** Each admin's own phrases. */
export function phrasesService(deps: { db: Db; melodies: MelodiesService; feedback: FeedbackService }) {
  const { db, melodies, feedback } = deps;
  const tell = (tx: Db, admin: Admin) =>
    announceChange(tx, { to: admin.id, refreshes: ['/api/admin/phrases'] });

  return {
    list: (admin: Admin) => store.listPhrases(db, admin.id),

    /**
     * Lists sentences from the admin's own replies at a melody.
     * @throws AppError 'not-found'
     */
    async offered(melodyId: number, admin: Admin) {
      await melodies.get(admin, melodyId);
      return offeredFrom(await feedback.writtenAt(melodyId, admin, ANSWERS_SEARCHED));
    },

    /**
     * Adds a phrase. An equal one is returned unchanged, because the response to the first call may have been lost.
     * @throws AppError 'conflict' (the name is taken, or there are too many)
     */
    add({ name, text, ...rest }: Kept, admin: Admin) {
      nothingLeft(rest);
      return db.transaction(async (tx) => {
        await store.lockPhrases(tx, admin.id);
        const there = await store.findByName(tx, admin.id, name);
        if (there && there.name === name && there.text === text) return there;
        if (there) throw nameTaken();
        if ((await store.countPhrases(tx, admin.id)) >= PHRASES_MAX) throw tooMany();
        const made = await store.insertPhrase(tx, { adminId: admin.id, name, text });
        await tell(tx, admin);
        return made;
      });
    },

    /** @throws AppError 'not-found' (also another admin's), 'conflict' (the name is taken) */
    async change(id: number, { name, text, ...rest }: Kept, admin: Admin) {
      nothingLeft(rest);
      try {
        return await db.transaction(async (tx) => {
          const changed = await store.updatePhrase(tx, id, admin.id, { name, text });
          if (!changed) throw noSuchPhrase();
          await tell(tx, admin);
          return changed;
        });
      } catch (error) {
        throw violates(error, 'phrases_name_once') ? nameTaken() : error;
      }
    },

    /** @throws AppError 'not-found', also for another admin's */
    remove: (id: number, admin: Admin) =>
      db.transaction(async (tx) => {
        if (!(await store.deletePhrase(tx, id, admin.id))) throw noSuchPhrase();
        await tell(tx, admin);
      }),
  };
}

const noSuchPhrase = () => notFound('This phrase has already been removed');
const nameTaken = () => conflict('You already have a phrase with this name.');
const tooMany = () =>
  conflict(`You already have ${PHRASES_MAX} phrases, which is the limit. Please remove one first.`);
