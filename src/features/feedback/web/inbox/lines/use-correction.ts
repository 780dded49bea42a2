import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/query-client.ts';
import { begunAt, roomOf } from '#features/line-matching/correction.ts';
import type { RecordingLines } from '#features/line-matching/contract.ts';
import { linesOf } from '#features/line-matching/web/lines-query.ts';
import type { FoundLine } from '#features/feedback/web/marks/sung-passages.ts';

type Correction = { line: number; was: number; start: number };

/** Delay from the last move of a beginning until it is sent. */
const SETTLED_MS = 600;

/** Rounds to hundredths of a second, below which no difference is audible. */
const hundredth = (seconds: number) => Math.round(seconds * 100) / 100;

/**
 * Moves where lines of a recording begin. A move is shown at once, and sent when the moving stops.
 * @param found the lines as the server has them
 * @param seconds recording length
 */
export function useCorrection(recordingId: number, found: readonly FoundLine[], seconds: number) {
  const [moved, setMoved] = useState<(Correction & { isHeld: boolean }) | null>(null);
  const { queryKey } = linesOf(recordingId);
  const mutationKey = ['correct lines', recordingId];
  const correcting = useMutation({
    mutationKey,
    // Corrections run one after another: each starts from the lines that the one before produced.
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
    /** The lines, with the current move applied. */
    shown,
    /**
     * Returns the range in which a beginning may lie.
     * @param index of the line
     */
    roomAt: (index: number) => roomOf(found, index, seconds),
    /**
     * Moves a beginning.
     * @param index of the line
     * @param isHeld true during a drag: not sent until the next call
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
    /** Sends the current move immediately. */
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
