import { callApi } from '#web/api/call.ts';
import { createUuid } from '#web/uploads/create-uuid.ts';
import type { TeachingNote } from '../contract.ts';
import type { NoteToSend } from './note-draft.ts';

type NewNote = NoteToSend & {
  clientId: string;
  voiceOf?: { recordingId: number; voice: string } | undefined;
};

/**
 * Adds a note. If an earlier call added the note but its response was lost, updates that note to the current
 * input, or replaces it if it now gets a voice recording.
 * @param replaceClientId stores and returns a new idempotency key, because the server rejects the key of a
 *   deleted note. Called only if the note gets a voice recording that it didn't have.
 */
export async function addTeachingNote(
  melodyId: number,
  body: NewNote,
  replaceClientId: () => string = createUuid,
): Promise<TeachingNote> {
  const { line, lineWords, text, voiceOf } = body;
  const add = (clientId: string) =>
    callApi('POST /api/melodies/{id}/teaching-notes', {
      params: { id: melodyId },
      body: { ...body, clientId },
    });
  const note = await add(body.clientId);
  const params = { id: note.id };
  // A voice recording can't be added to an existing note.
  if (voiceOf && !note.voice) {
    await callApi('DELETE /api/teaching-notes/{id}', { params });
    return add(replaceClientId());
  }
  const removeVoice = !voiceOf && note.voice !== null;
  if (note.line === line && note.text === text && !removeVoice) return note;
  return callApi('PUT /api/teaching-notes/{id}', { params, body: { line, lineWords, text, removeVoice } });
}
