/** A melody counts as sung when 80 of its 100 slices have been heard. */
const SLICE_COUNT = 100;
const MIN_HEARD_SLICES = 80;

/** Tracks which parts of a melody were heard in the current round. */
export function createPlayedSliceTracker() {
  const heard = new Set<number>();
  return {
    /**
     * Marks a part of the melody as heard. All values are in seconds. Does nothing if `length` is 0
     * (unknown).
     */
    add(from: number, to: number, length: number) {
      if (length <= 0) return;
      const last = Math.min(SLICE_COUNT, Math.ceil((to / length) * SLICE_COUNT));
      for (let slice = Math.floor((from / length) * SLICE_COUNT); slice < last; slice += 1) heard.add(slice);
    },
    /**
     * Ends the round and starts a new one.
     * @returns whether enough of the melody was heard in the ended round to count as sung
     */
    end(): boolean {
      const { size } = heard;
      heard.clear();
      return size >= MIN_HEARD_SLICES;
    },
  };
}
