type LayoutShift = PerformanceEntry & { value: number; hadRecentInput: boolean };

/** Starts adding up the layout shifts that the page causes by itself (Layout Instability API). */
export function watchLayoutShifts() {
  let sum = 0;
  const add = (entries: PerformanceEntryList) => {
    for (const { value, hadRecentInput } of entries as LayoutShift[]) if (!hadRecentInput) sum += value;
  };
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ type: 'layout-shift' });
  return {
    /** Returns the sum, once all changes so far are painted. */
    async sum() {
      await waitForPaint();
      add(observer.takeRecords());
      return sum;
    },
    end: () => observer.disconnect(),
  };
}

/**
 * Waits three frames and a task, because a shift is computed when a frame is painted and reported after that.
 */
export async function waitForPaint() {
  for (let frames = 0; frames < 3; frames += 1)
    await new Promise((resolve) => requestAnimationFrame(resolve));
  await new Promise((resolve) => setTimeout(resolve));
}
