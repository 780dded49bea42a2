import { randomUUID } from 'node:crypto';
import { isConstraintViolationOf, type Db } from '#server/db/database.ts';
import { type BodyOf, assertExhaustive } from '#shared/body.ts';
import { createConflictError, createNotFoundError } from '#shared/errors.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { feedbackApi, Mark } from '../contract.ts';
import { MAX_MARKS } from '../limits.ts';
import { containsAllMarks, mergeMarks, formatMarks } from '../marks.ts';
import * as store from './store.ts';

type NewDraft = BodyOf<typeof feedbackApi.keepDraft> & { recordingId: number };
type Admin = Pick<Caller, 'id'>;

/** Creates the functions for drafts of replies. Each admin has their own drafts. */
export function createDraftsService(db: Db) {
  return {
    listDrafts: (admin: Admin, filter: store.DraftFilter = {}) => store.listDrafts(db, admin.id, filter),

    /**
     * Saves an admin's draft, or deletes it if it is empty. Saves it even if another admin has answered the
     * recording in the meantime, so that nothing typed is lost. If `basedOn` is given, does not overwrite a
     * stored draft that it does not list, such as a draft that the same admin saved in another browser.
     * @returns the saved revision
     * @throws AppError 'not-found', 'conflict' (`basedOn` does not list the stored draft)
     */
    async saveDraft(
      { recordingId, text, marks, revision = randomUUID(), basedOn, ...rest }: NewDraft,
      admin: Admin,
    ) {
      assertExhaustive(rest);
      const draft = { recordingId, text, marks, revision, adminId: admin.id };
      const isEmpty = text.trim() === '' && marks.length === 0;
      try {
        await db.transaction(async (tx) => {
          if (!isEmpty && (await store.insertDraft(tx, draft))) return;
          const existing = await store.lockDraft(tx, recordingId, admin.id);
          // Also accepts the revision itself, because the same edit is sent again if its response was lost.
          if (existing && basedOn && ![revision, ...basedOn].includes(existing.revision))
            throw createConflictError(DRAFT_CHANGED_ELSEWHERE);
          if (isEmpty) await store.deleteDraft(tx, recordingId, admin.id);
          else await store.upsertDraft(tx, draft);
        });
      } catch (error) {
        if (isConstraintViolationOf(error, 'feedback_drafts_recording_id_recordings_id_fk'))
          throw recordingNotFoundError();
        throw error;
      }
      return revision;
    },
  };
}

/**
 * Turns sent feedback into a draft again. If the admin has begun another draft in the meantime, merges the two
 * without repetition.
 */
export async function restoreDraft(
  tx: Db,
  sent: { recordingId: number; adminId: string; text: string; marks: readonly Mark[] },
) {
  const draft = { ...sent, marks: [...sent.marks], revision: randomUUID() };
  if (await store.insertDraft(tx, draft)) return;
  const existing = await store.lockDraft(tx, sent.recordingId, sent.adminId);
  const { text = '', marks = [] } = existing ?? {};
  // Leaves the stored draft unchanged if it already contains the sent feedback. This happens if the response to
  // sending was lost: the form is still open and saves its content as a draft. The draft must keep its
  // revision, because the form's next save is based on it.
  if (text.includes(sent.text.trim()) && containsAllMarks(marks, sent.marks)) return;
  const all = mergeMarks(sent.marks, marks);
  // If both drafts together exceed the maximum number of marks, writes the marks of the stored draft into the
  // text.
  const fits = all.length <= MAX_MARKS;
  const texts = fits ? [sent.text, text] : [sent.text, text, formatMarks(marks)];
  await store.upsertDraft(tx, { ...draft, text: texts.reduce(mergeTexts), marks: fits ? all : draft.marks });
}

function mergeTexts(a: string, b: string) {
  if (a.includes(b.trim())) return a;
  if (b.includes(a.trim())) return b;
  return `${a.trimEnd()}\n\n${b.trimStart()}`;
}

export const recordingNotFoundError = () => createNotFoundError('This recording no longer exists');

const DRAFT_CHANGED_ELSEWHERE = 'This draft was changed in another browser while you were writing.';
