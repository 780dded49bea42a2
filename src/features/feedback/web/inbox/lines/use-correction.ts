import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/query-client.ts';
import { begunAt, roomOf } from '#features/line-matching/correction.ts';
import type { RecordingLines } from '#features/line-matching/contract.ts';
import { linesOf } from '#features/line-matching/web/lines-query.ts';
import type { FoundLine } from '#features/feedback/web/marks/sung-passages.ts';

type Correction = { line: number; was: number; start: number };

/** After the last step by which a beginning was moved, it is sent. */
const SETTLED_MS = 600;

/** Finer than a hundredth of a second nobody hears. */
const hundredth = (seconds: number) => Math.round(seconds * 100) / 100;

/**
 * Moves beginnings of lines in a recording. What is moved is shown at once, and sent when it rests.
 * @param found as the server has them
 * @param seconds of the recording
 */
export function useCorrection(recordingId: number, found: readonly FoundLine[], seconds: number) {
  const [moved, setMoved] = useState<(Correction & { isHeld: boolean }) | null>(null);
  const { queryKey } = linesOf(recordingId);
  const mutationKey = ['correct lines', recordingId];
  const correcting = useMutation({
    mutationKey,
    // One after the other: each begins with what the one before has made of the lines.
    scope: { id: `lines of ${recordingId}` },
    mutationFn: (body: Correction) =>
      call('PUT /api/recordings/{id}/lines', { params: { id: recordingId }, body }),
    async onMutate(correction) {
      queryClient.setQueryData(queryKey, (before) => before && withMoved(before, correction, seconds));
      await queryClient.cancelQueries({ queryKey });
    },
    onSuccess(answered) {
      if (queryClient.isMutating({ mutationKey }) === 1) queryClient.setQueryData(queryKey, answered);
    },
    onError: () => queryClient.invalidateQueries({ queryKey }),
  });

  const at = moved ? indexOf(found, moved) : -1;
  const shown = moved && at >= 0 ? begunAt(found, at, moved.start, seconds) : found;

  const send = () => {
    if (!moved) return;
    const { isHeld: _, ...correction } = moved;
    setMoved(null);
    correcting.mutate(correction);
  };
  const sendAtLast = useEffectEvent(send);
  useEffect(() => {
    if (!moved || moved.isHeld) return;
    const timer = setTimeout(() => sendAtLast(), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [moved]);
  useEffect(() => () => sendAtLast(), []);

  return {
    /** The lines with what is being moved. */
    shown,
    /** @param index of the line */
    roomAt: (index: number) => roomOf(found, index, seconds),
    /**
     * @param index of the line
     * @param isHeld nothing is sent before the next call
     */
    move(index: number, to: number, isHeld = false) {
      const line = found[index];
      if (!line) return;
      const room = roomOf(found, index, seconds);
      if (room.from > room.to) return;
      if (moved && index !== at) send();
      const start = Math.min(room.to, Math.max(room.from, hundredth(to)));
      setMoved({ line: line.line, was: line.start, start, isHeld });
    },
    /** Sends what was moved without waiting for more. */
    send,
    error: moved ? null : correcting.error,
    isKept: correcting.isSuccess && moved === null,
  };
}

const indexOf = (lines: readonly FoundLine[], { line, was }: Correction) =>
  lines.findIndex((each) => each.line === line && each.start === was);

function withMoved(before: RecordingLines, correction: Correction, seconds: number): RecordingLines {
  const at = indexOf(before.lines, correction);
  return at < 0 ? before : { ...before, lines: begunAt(before.lines, at, correction.start, seconds) };
}
