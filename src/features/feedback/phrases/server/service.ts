import { type Db, isConstraintViolationOf } from '#server/db/database.ts';
import { type BodyOf, assertExhaustive } from '#shared/body.ts';
import { createConflictError, createNotFoundError } from '#shared/errors.ts';
import { announceChange } from '#server/db/changes.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { FeedbackService } from '#features/feedback/server/service.ts';
import type { MelodiesService } from '#features/melodies/server/service.ts';
import type { phrasesApi } from '../contract.ts';
import { MAX_REPLIES_SEARCHED, MAX_PHRASES } from '../limits.ts';
import { suggestSentences } from './sentences.ts';
import * as store from './store.ts';

export type PhrasesService = ReturnType<typeof createPhrasesService>;

type PhraseBody = BodyOf<typeof phrasesApi.add>;
type Admin = Pick<Caller, 'id' | 'role'>;

/** Creates the service for phrases. Each admin has their own. */
export function createPhrasesService(deps: { db: Db; melodies: MelodiesService; feedback: FeedbackService }) {
  const { db, melodies, feedback } = deps;
  const announcePhraseChange = (tx: Db, admin: Admin) =>
    announceChange(tx, { to: admin.id, refreshes: ['/api/admin/phrases'] });

  return {
    list: (admin: Admin) => store.listPhrases(db, admin.id),

    /**
     * Lists sentences from the admin's own replies to recordings of a melody.
     * @throws AppError 'not-found'
     */
    async listSuggestions(melodyId: number, admin: Admin) {
      await melodies.get(admin, melodyId);
      return suggestSentences(await feedback.listTextsByMelody(melodyId, admin, MAX_REPLIES_SEARCHED));
    },

    /**
     * Adds a phrase. If the admin already has an identical phrase, returns the existing one, because the
     * response to an earlier call may have been lost.
     * @throws AppError 'conflict' (the name is taken, or there are too many)
     */
    add({ name, text, ...rest }: PhraseBody, admin: Admin) {
      assertExhaustive(rest);
      return db.transaction(async (tx) => {
        await store.lockPhraseOwner(tx, admin.id);
        const existing = await store.findPhraseByName(tx, admin.id, name);
        if (existing && existing.name === name && existing.text === text) return existing;
        if (existing) throw nameTakenError();
        if ((await store.countPhrases(tx, admin.id)) >= MAX_PHRASES) throw tooManyPhrasesError();
        const made = await store.insertPhrase(tx, { adminId: admin.id, name, text });
        await announcePhraseChange(tx, admin);
        return made;
      });
    },

    /** @throws AppError 'not-found' (also for another admin's phrase), 'conflict' (the name is taken) */
    async change(id: number, { name, text, ...rest }: PhraseBody, admin: Admin) {
      assertExhaustive(rest);
      try {
        return await db.transaction(async (tx) => {
          const changed = await store.updatePhrase(tx, id, admin.id, { name, text });
          if (!changed) throw phraseNotFound();
          await announcePhraseChange(tx, admin);
          return changed;
        });
      } catch (error) {
        throw isConstraintViolationOf(error, 'phrases_name_once') ? nameTakenError() : error;
      }
    },

    /** @throws AppError 'not-found', also for another admin's phrase */
    remove: (id: number, admin: Admin) =>
      db.transaction(async (tx) => {
        if (!(await store.deletePhrase(tx, id, admin.id))) throw phraseNotFound();
        await announcePhraseChange(tx, admin);
      }),
  };
}

const phraseNotFound = () => createNotFoundError('This phrase has already been removed');
const nameTakenError = () => createConflictError('You already have a phrase with this name.');
const tooManyPhrasesError = () =>
  createConflictError(
    `You already have ${MAX_PHRASES} phrases, which is the limit. Please remove one first.`,
  );
