import type { Draft } from '../contract.ts';
import { areSameWords, isNothing, mergeDraft, NOTHING, packed, unpacked, type Written } from './draft.ts';

/** Of what may have arrived unanswered, this much is remembered; what is forgotten is shown beside, not lost. */
const UNANSWERED_MAX = 3;

/** Where texts are kept by name; an empty one forgets. */
export type Shelf = { read(of: string): string; keep(of: string, text: string): void };

export type DeviceCopy = ReturnType<typeof createDeviceCopy>;

/** The device's copy of a draft: what is in the form, what it was written from, and what lies beside it. */
export function createDeviceCopy(
  shelf: Shelf,
  recordingId: number,
  server: Draft | undefined,
  isGone: boolean,
) {
  const place = `reply ${recordingId}`;
  const besidesPlace = `besides reply ${recordingId}`;
  const merged = mergeDraft(unpacked(shelf.read(place)), server, isGone);
  let basedOn: readonly Written[] = [server ?? NOTHING].map(({ text, marks }) => ({ text, marks }));
  let now = { written: merged.written, isOnServer: true };
  let besides: readonly Written[] = unpackedList(shelf.read(besidesPlace));

  const write = () => {
    const { written, isOnServer } = now;
    shelf.keep(place, isOnServer && isNothing(written) ? '' : packed({ ...written, isOnServer, basedOn }));
  };
  const setBesides = (next: readonly Written[]) => {
    besides = next;
    shelf.keep(besidesPlace, next.length === 0 ? '' : JSON.stringify(next));
  };

  const { besides: found } = merged;
  if (found) {
    if (!besides.some((each) => areSameWords(each, found))) setBesides([...besides, found]);
    // Where the device is full the copy stays in its place, and is found there again.
    if (unpackedList(shelf.read(besidesPlace)).some((each) => areSameWords(each, found))) write();
  }

  return {
    /** What the form begins with. */
    written: merged.written,
    keep(written: Written, isOnServer: boolean) {
      now = { written, isOnServer };
      if (isOnServer) basedOn = [written];
      write();
    },
    /** It is on its way to the server, and may arrive without an answer. */
    noteSending(written: Written) {
      const [known = NOTHING, ...sent] = basedOn;
      basedOn = [known, ...[...sent, written].slice(-UNANSWERED_MAX)];
      write();
    },
    /** What was typed on this device while another changed the draft too. */
    besides: () => besides,
    putAway(away: Written) {
      setBesides(besides.filter((each) => each !== away));
      return besides;
    },
    /** One that lay beside comes into the form; what stood there lies beside in its stead. */
    swap(out: Written, into: Written) {
      setBesides(besides.flatMap((each) => (each !== out ? [each] : isNothing(into) ? [] : [into])));
      return besides;
    },
    forget() {
      shelf.keep(place, '');
      setBesides([]);
    },
  };
}

const unpackedList = (kept: string) => (kept === '' ? [] : (JSON.parse(kept) as Written[]));
