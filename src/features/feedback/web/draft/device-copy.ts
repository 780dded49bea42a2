import type { Kept } from '../../../../platform/web/drafts/draft-storage.ts';
import type { Draft } from '../../contract.ts';
import { digestOf } from '../../draft-digest.ts';
import { areSameWords, isNothing, mergeDraft, NOTHING, unpacked, type Written } from './draft.ts';

/** Of what may have arrived unanswered, this much is remembered; what is forgotten is shown beside, not lost. */
const UNANSWERED_MAX = 3;

/** Where drafts are kept by name; null forgets. `keep` says whether the device has it. */
export type Shelf = { read(of: string): Kept | null; keep(of: string, value: object | null): boolean };

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
  // What lay beside when another was in the form may be what the form begins with now.
  let besides: readonly Written[] = unpackedList(shelf.read(besidesPlace)).filter(
    (each) => !areSameWords(each, merged.written),
  );
  let overtaking: Written | null = null;

  const write = () => {
    const { written, isOnServer } = now;
    shelf.keep(place, isOnServer && isNothing(written) ? null : { ...written, isOnServer, basedOn });
  };
  const setBesides = (next: readonly Written[]) => {
    besides = next;
    return shelf.keep(besidesPlace, next.length === 0 ? null : next);
  };

  /** One has seen it, and chosen: what is saved from now on goes on from it. */
  const settle = (seen: Written) => {
    if (overtaking !== seen) return;
    overtaking = null;
    basedOn = [seen];
    write();
  };

  const { besides: found } = merged;
  if (found) {
    // Where the device is full the copy stays in its place, and is found there again.
    if (setBesides([...besides.filter((each) => !areSameWords(each, found)), found])) write();
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
    /** What the server may have that the form was written from. */
    digests: () => basedOn.map(digestOf),
    /** What was typed on this device while another changed the draft too. */
    besides: () => besides,
    /**
     * The server has something that this was not written from: it lies beside until one has chosen, and is not
     * overwritten meanwhile.
     * @returns whether it is so, and not only an earlier save whose answer was lost
     */
    meet(theirs: Written): boolean {
      if ([now.written, ...basedOn].some((each) => areSameWords(each, theirs))) return false;
      overtaking = { text: theirs.text, marks: theirs.marks };
      const known = besides.find((each) => areSameWords(each, theirs));
      if (known) overtaking = known;
      else setBesides([...besides, overtaking]);
      return true;
    },
    isOvertaken: () => overtaking !== null,
    putAway(away: Written) {
      settle(away);
      setBesides(besides.filter((each) => each !== away));
      return besides;
    },
    /** One that lay beside comes into the form; what stood there lies beside in its stead. */
    swap(out: Written, into: Written) {
      settle(out);
      setBesides(besides.flatMap((each) => (each !== out ? [each] : isNothing(into) ? [] : [into])));
      return besides;
    },
    forget() {
      shelf.keep(place, null);
      setBesides([]);
    },
  };
}

const unpackedList = (kept: Kept | null) => (kept ?? []) as Written[];
