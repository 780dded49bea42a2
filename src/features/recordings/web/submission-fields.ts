import { useState } from 'react';
import { saveDraft, loadDraft } from '../../../platform/web/draft-storage.ts';
import { useUser } from '../../../platform/web/session.ts';
import { useChosenMelody } from './chosen-melody.ts';
import type { RecordingSending } from './sending.ts';

/** Null for a field that nobody has typed in. */
type Typed = { title: string | null; message: string | null };

const NOTHING: Typed = { title: null, message: null };

/**
 * What goes along with a recording. What is typed is kept on this device until it is sent, for this person and the
 * melody that it was typed for, so that it stands beside no other one later.
 */
export function useSubmissionFields() {
  const { id: userId } = useUser();
  const melody = useChosenMelody();
  const [known, setKnown] = useState<Readonly<Record<string, Typed>>>({});
  const at = (melodyId: number | null) => known[String(melodyId)] ?? kept(userId, melodyId);
  const typed = at(melody.id);

  function remember(...all: [melodyId: number | null, typed: Typed][]) {
    for (const [melodyId, each] of all) keep(userId, melodyId, each);
    setKnown({ ...known, ...Object.fromEntries(all.map(([melodyId, each]) => [String(melodyId), each])) });
  }
  const type = (part: Partial<Typed>) => remember([melody.id, { ...typed, ...part }]);

  const title = typed.title ?? melody.chosen?.title ?? '';
  const message = typed.message ?? '';
  const sending: RecordingSending = { title: title.trim(), message: message.trim(), melodyId: melody.id };
  return {
    melody,
    title,
    message,
    sending,
    typeTitle: (text: string) => type({ title: text }),
    typeMessage: (text: string) => type({ message: text }),
    /** What was typed before a melody was chosen goes along with the choice. */
    chooseMelody(id: number | null) {
      remember([melody.id, NOTHING], [id, typed]);
      melody.choose(id);
    },
    /** As a recording has it that was sent off or left behind. */
    takeOver(from: RecordingSending) {
      remember([from.melodyId, { title: from.title || null, message: from.message || null }]);
      if (from.melodyId !== melody.id) melody.choose(from.melodyId);
    },
    forget: () => remember([melody.id, NOTHING]),
  };
}

const nameOf = (field: keyof Typed, melodyId: number | null) =>
  melodyId === null ? `submit ${field}` : `submit ${field} ${melodyId}`;

const kept = (userId: string, melodyId: number | null): Typed => ({
  title: loadDraft(userId, nameOf('title', melodyId)) || null,
  message: loadDraft(userId, nameOf('message', melodyId)) || null,
});

function keep(userId: string, melodyId: number | null, { title, message }: Typed) {
  saveDraft(userId, nameOf('title', melodyId), title ?? '');
  saveDraft(userId, nameOf('message', melodyId), message ?? '');
}
