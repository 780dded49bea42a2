import { useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { CallError } from '#web/api/call.ts';
import { useUser } from '#web/api/session.ts';
import type { StoredRecording } from '#web/audio/stored-recording.ts';
import { findUnlockedTakes } from '#features/recordings/web/takes/take-locks.ts';
import { removeTake, getTakeStore } from '#features/recordings/web/takes/use-takes.ts';
import type { Feedback } from '#features/feedback/contract.ts';
import { clearSendAttempts, getLastAttemptContent, sendReply } from '../reply/send-reply.ts';

type LeftoverTakes = ReadonlyMap<number, readonly StoredRecording[]>;

/**
 * Returns the audio (spoken parts and voice comments) that pages left on this device when they were closed,
 * by recording id; undefined until it is loaded.
 */
export function useLeftoverReplyTakes() {
  const userId = useUser().id;
  const [left, setLeft] = useState<LeftoverTakes>();
  useEffect(() => {
    let isHere = true;
    const find = async () => {
      const takes = await getTakeStore().listOf(userId);
      const free = await findUnlockedTakes(takes.map(({ id }) => id));
      if (!isHere) return;
      const byRecording = new Map<number, StoredRecording[]>();
      for (const take of takes.filter(({ id }) => free.has(id))) {
        const id = Number(/^reply (\d+)(?: voices)?$/.exec(take.purpose)?.[1]);
        if (id) byRecording.set(id, [...(byRecording.get(id) ?? []), take]);
      }
      setLeft(byRecording);
    };
    // A device that can't store recordings has no leftovers.
    find().catch(() => isHere && setLeft(new Map()));
    return () => {
      isHere = false;
    };
  }, [userId]);
  return left;
}

/**
 * Returns a function that checks whether this device has unsent audio for a recording. The function returns
 * undefined until that is known. Removes audio from the device if the server turns out to have received it,
 * although the page was closed before the response.
 * @param answers the feedback on recordings that may have leftovers
 */
export function useUnsentTakesCheck(answers: readonly Feedback[], left: LeftoverTakes | undefined) {
  const userId = useUser().id;
  const checked = answers.filter(({ recordingId }) => left?.has(recordingId));
  const queries = useQueries({
    queries: checked.map((answer) => ({
      queryKey: ['unsent voice', userId, answer.recordingId],
      queryFn: () => isUnsent(userId, answer, left!.get(answer.recordingId)!),
    })),
  });
  return (id: number) =>
    left?.has(id) === false
      ? false
      : queries[checked.findIndex(({ recordingId }) => recordingId === id)]?.data;
}

async function isUnsent(userId: string, answer: Feedback, takes: readonly StoredRecording[]) {
  const { recordingId, audioFeedbackUrl, voices } = answer;
  const content = getLastAttemptContent(userId, recordingId);
  // Lists the takes again, because the open inbox may have removed the audio of a reply that was released.
  const left = (await getTakeStore().listOf(userId)).filter(({ id }) => takes.some((take) => take.id === id));
  const isInAnswer = ({ id, name }: StoredRecording) =>
    name === audioFeedbackUrl || voices.some((voice) => voice.id === id);
  const named = [content?.sound, ...(content?.marks ?? []).map(({ voice }) => voice)];
  const sent = left.filter((take) => isInAnswer(take) || named.includes(take.id));
  if (sent.length === 0) return left.length > 0;
  if (content && !sent.every(isInAnswer)) {
    try {
      // Sends the reply again, to find out whether it is the feedback that the server has. If so, the server
      // recognizes the idempotency key and returns that feedback. If somebody else answered the recording, it
      // returns 409.
      await sendReply({ userId, recordingId }, { ...content, peaks: null });
    } catch (error) {
      if (error instanceof CallError && [404, 409].includes(error.status)) return true;
      throw error;
    }
  }
  await Promise.all(sent.map(({ id }) => removeTake(id)));
  clearSendAttempts(userId, recordingId);
  return left.length > sent.length;
}
