type LayoutShift = PerformanceEntry & { value: number; hadRecentInput: boolean };

/** Adds up from now on by how much the page moves what it shows, of itself (the Layout Instability API). */
export function watchLayoutShifts() {
  let sum = 0;
  const add = (entries: PerformanceEntryList) => {
    for (const { value, hadRecentInput } of entries as LayoutShift[]) if (!hadRecentInput) sum += value;
  };
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ type: 'layout-shift' });
  return {
    /** The sum, once what has changed until now is painted. */
    async sum() {
      await painted();
      add(observer.takeRecords());
      return sum;
    },
    end: () => observer.disconnect(),
  };
}

/** A shift is reckoned when a frame is painted, and told after that. */
export async function painted() {
  for (let frames = 0; frames < 3; frames += 1)
    await new Promise((resolve) => requestAnimationFrame(resolve));
  await new Promise((resolve) => setTimeout(resolve));
}
