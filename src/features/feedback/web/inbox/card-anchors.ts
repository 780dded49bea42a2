// Where the form of a pending recording stands on the page.

export const headingIdOf = (recordingId: number) => `recording-${recordingId}`;

export const cardOf = (recordingId: number) =>
  document.querySelector<HTMLElement>(`[data-recording="${recordingId}"]`);

/** Takes focus and sight to it. */
export function goTo(recordingId: number) {
  document.getElementById(headingIdOf(recordingId))?.focus({ preventScroll: true });
  cardOf(recordingId)?.scrollIntoView({ block: 'start' });
}
