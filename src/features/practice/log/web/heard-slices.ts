/** A melody counts as sung through once so many of its hundred slices were heard. */
const SLICES = 100;
const ENOUGH = 80;

/** Which parts of a melody have been heard since the last time it was sung. */
export function heardSlices() {
  const heard = new Set<number>();
  return {
    /** Seconds, of a melody of a length. */
    add(from: number, to: number, length: number) {
      if (length <= 0) return;
      const last = Math.min(SLICES, Math.ceil((to / length) * SLICES));
      for (let slice = Math.floor((from / length) * SLICES); slice < last; slice += 1) heard.add(slice);
    },
    /** Begins anew. @returns whether the melody was heard */
    end(): boolean {
      const { size } = heard;
      heard.clear();
      return size >= ENOUGH;
    },
  };
}
