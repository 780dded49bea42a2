// Anchors of the pending recordings' forms on the page.

export const headingIdOf = (recordingId: number) => `recording-${recordingId}`;

/** Focuses the recording's heading and scrolls to its card. */
export function goTo(recordingId: number) {
  document.getElementById(headingIdOf(recordingId))?.focus({ preventScroll: true });
  document
    .querySelector<HTMLElement>(`[data-recording="${recordingId}"]`)
    ?.scrollIntoView({ block: 'start' });
}

export const MORE_FAILED = 'More recordings could not be loaded.';
