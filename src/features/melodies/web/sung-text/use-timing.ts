import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { call } from '../../../../platform/web/call.ts';
import { useUser } from '../../../../platform/web/session.ts';
import type { LineTiming, MelodyDetail } from '../../contract.ts';
import { sungLinesOf } from '../../sung-text/parse.ts';
import { beginTapping, type Tapping } from '../../sung-text/tapping.ts';
import { passagesOf, timingsOf } from '../../sung-text/timings.ts';
import { keepDraft, keptDraft } from './timing-draft.ts';

/** The times of a melody while they are being made: kept on the device until they are saved. */
export function useTiming(melody: MelodyDetail) {
  const userId = useUser().id;
  const [draft] = useState(() => keptDraft(userId, melody));
  // A melody without words may get them from an LRC file.
  const isWithoutText = !melody.melodyText?.trim();
  const [text, setText] = useState(draft?.text ?? melody.melodyText ?? '');
  const [isFromDraft, setIsFromDraft] = useState(draft !== null);
  const [saved, setSaved] = useState(() => savedOf(melody));
  const lines = useMemo(() => sungLinesOf(text), [text]);
  const [tapping, setTapping] = useState(() =>
    beginTapping(passagesOf(sungLinesOf(text), draft?.timings ?? melody.timings)),
  );
  const timings = useMemo(() => timingsOf(lines, tapping.passages), [lines, tapping.passages]);

  const save = useMutation({
    mutationFn: (given: { text: string; timings: LineTiming[] }) =>
      call('PUT /api/melodies/{id}', {
        params: { id: melody.id },
        form: {
          timings: JSON.stringify(given.timings),
          ...(given.text !== saved.text && { melodyText: given.text }),
        },
      }),
    meta: { refreshes: ['/api/melodies'] },
    onSuccess: (_, given) => {
      setSaved(given);
      setIsFromDraft(false);
      // What was tapped while it was being saved stays on the device.
      const kept = keptDraft(userId, { ...melody, melodyText: given.text });
      if (kept && areSame(kept.timings, given.timings)) keepDraft(userId, melody.id, null);
    },
  });

  /** Takes a step, and with it the text that its lines are of. */
  const change = (next: Tapping, nextText = text) => {
    if (next === tapping && nextText === text) return;
    setTapping(next);
    setText(nextText);
    save.reset();
    keepDraft(userId, melody.id, {
      text: nextText,
      timings: timingsOf(nextText === text ? lines : sungLinesOf(nextText), next.passages),
    });
  };
  const discard = () => {
    setText(saved.text);
    setTapping(beginTapping(passagesOf(sungLinesOf(saved.text), saved.timings)));
    setIsFromDraft(false);
    save.reset();
    keepDraft(userId, melody.id, null);
  };

  return {
    text,
    lines,
    tapping,
    change,
    discard,
    save,
    /** What would be saved now. */
    given: { text, timings },
    isWithoutText,
    isFromDraft,
    isUnsaved: text !== saved.text || !areSame(timings, saved.timings),
  };
}

function savedOf({ melodyText, timings }: MelodyDetail) {
  const lines = sungLinesOf(melodyText ?? '');
  return { text: melodyText ?? '', timings: timingsOf(lines, passagesOf(lines, timings)) };
}

/** The server keeps them by line, the screen by time. */
function areSame(one: readonly LineTiming[], other: readonly LineTiming[]) {
  const startOf = new Map(other.map(({ line, start }) => [line, start]));
  return one.length === other.length && one.every(({ line, start }) => startOf.get(line) === start);
}
