// Where the form of a pending recording stands on the page.

export const headingIdOf = (recordingId: number) => `recording-${recordingId}`;

export const cardOf = (recordingId: number) =>
  document.querySelector<HTMLElement>(`[data-recording="${recordingId}"]`);
