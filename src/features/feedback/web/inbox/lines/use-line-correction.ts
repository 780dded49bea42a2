import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { callApi } from '#web/api/call.ts';
import { queryClient } from '#web/api/query-client.ts';
import { moveLineStart, getLineStartRange } from '#features/line-matching/correction.ts';
import type { RecordingLines } from '#features/line-matching/contract.ts';
import { createLinesQuery } from '#features/line-matching/web/lines-query.ts';
import type { FoundRecordingLine } from '#features/feedback/web/marks/sung-passages.ts';

type Correction = { line: number; was: number; start: number };

/** Delay from the last move of a line's start until the move is sent. */
const SEND_DELAY_MS = 600;

/** Rounds to hundredths of a second, because smaller differences are inaudible. */
const roundToHundredth = (seconds: number) => Math.round(seconds * 100) / 100;

/**
 * Lets the teacher move the starts of the lines in a recording. A move is shown immediately, and sent shortly
 * after the last move.
 * @param found the lines on the server
 * @param seconds duration of the recording
 */
export function useLineCorrection(
  recordingId: number,
  found: readonly FoundRecordingLine[],
  seconds: number,
) {
  const [moved, setMoved] = useState<(Correction & { isHeld: boolean }) | null>(null);
  const { queryKey } = createLinesQuery(recordingId);
  const mutationKey = ['correct lines', recordingId];
  const correcting = useMutation({
    mutationKey,
    // Runs corrections one after another, because each is based on the lines that the previous correction
    // produced.
    scope: { id: `lines of ${recordingId}` },
    mutationFn: (body: Correction) =>
      callApi('PUT /api/recordings/{id}/lines', { params: { id: recordingId }, body }),
    async onMutate(correction) {
      queryClient.setQueryData(queryKey, (before) => before && moveLine(before, correction, seconds));
      await queryClient.cancelQueries({ queryKey });
    },
    onSuccess(answered) {
      if (queryClient.isMutating({ mutationKey }) === 1) queryClient.setQueryData(queryKey, answered);
    },
    onError: () => queryClient.invalidateQueries({ queryKey }),
  });

  const at = moved ? findLineIndex(found, moved) : -1;
  const shown = moved && at >= 0 ? moveLineStart(found, at, moved.start, seconds) : found;

  const send = () => {
    if (!moved) return;
    const { isHeld: _, ...correction } = moved;
    setMoved(null);
    correcting.mutate(correction);
  };
  const sendLatest = useEffectEvent(send);
  useEffect(() => {
    if (!moved || moved.isHeld) return;
    const timer = setTimeout(() => sendLatest(), SEND_DELAY_MS);
    return () => clearTimeout(timer);
  }, [moved]);
  useEffect(() => () => sendLatest(), []);

  return {
    /** The lines, with the current move applied. */
    shown,
    /**
     * Returns the range in which a line may start.
     * @param index position of the line among the lines found
     */
    getRange: (index: number) => getLineStartRange(found, index, seconds),
    /**
     * Moves the start of a line, within the range in which it may start.
     * @param index position of the line among the lines found
     * @param isHeld true during a drag, when the move is not sent until `send` is called
     */
    move(index: number, to: number, isHeld = false) {
      const line = found[index];
      if (!line) return;
      const room = getLineStartRange(found, index, seconds);
      if (room.from > room.to) return;
      if (moved && index !== at) send();
      const start = Math.min(room.to, Math.max(room.from, roundToHundredth(to)));
      setMoved({ line: line.line, was: line.start, start, isHeld });
    },
    /** Sends the current move immediately. */
    send,
    error: moved ? null : correcting.error,
    isSaved: correcting.isSuccess && moved === null,
  };
}

const findLineIndex = (lines: readonly FoundRecordingLine[], { line, was }: Correction) =>
  lines.findIndex((each) => each.line === line && each.start === was);

function moveLine(before: RecordingLines, correction: Correction, seconds: number): RecordingLines {
  const at = findLineIndex(before.lines, correction);
  return at < 0 ? before : { ...before, lines: moveLineStart(before.lines, at, correction.start, seconds) };
}
