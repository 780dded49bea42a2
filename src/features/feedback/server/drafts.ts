import { randomUUID } from 'node:crypto';
import { violates, type Db } from '../../../db/database.ts';
import { type BodyOf, nothingLeft } from '../../../platform/contract/body.ts';
import { conflict, notFound } from '../../../platform/contract/errors.ts';
import type { Caller } from '../../../platform/server/sessions.ts';
import type { feedbackApi } from '../contract.ts';
import * as store from './store.ts';

type NewDraft = BodyOf<typeof feedbackApi.keepDraft> & { recordingId: number };
type Admin = Pick<Caller, 'id'>;

/** What admins have written of their answers so far, each their own. */
export function draftsIn(db: Db) {
  return {
    drafts: (admin: Admin) => store.listDrafts(db, admin.id),

    /**
     * Keeps what an admin has written so far; empty, it is forgotten. Also for a recording that another has answered
     * meanwhile: nothing typed is lost. Nor is what the same admin typed in another browser: a draft that this one was
     * not written from stays as it is.
     * @returns the revision that was kept
     * @throws AppError 'not-found', 'conflict' (another is there than `basedOn` names)
     */
    async keepDraft(
      { recordingId, text, marks, revision = randomUUID(), basedOn, ...rest }: NewDraft,
      admin: Admin,
    ) {
      nothingLeft(rest);
      const draft = { recordingId, text, marks, revision, adminId: admin.id };
      const isEmpty = text.trim() === '' && marks.length === 0;
      try {
        await db.transaction(async (tx) => {
          if (!isEmpty && (await store.insertDraft(tx, draft))) return;
          const there = await store.lockDraft(tx, recordingId, admin.id);
          // It may be this very edit: its answer was lost, and it came again.
          if (there && basedOn && ![revision, ...basedOn].includes(there.revision))
            throw conflict(OTHER_DRAFT);
          if (isEmpty) await store.deleteDraft(tx, recordingId, admin.id);
          else await store.saveDraft(tx, draft);
        });
      } catch (error) {
        if (violates(error, 'feedback_drafts_recording_id_recordings_id_fk')) throw noSuchRecording();
        throw error;
      }
      return revision;
    },
  };
}

export const noSuchRecording = () => notFound('No such recording');

const OTHER_DRAFT = 'This draft has been changed in another browser meanwhile.';
