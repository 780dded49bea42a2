import { useSearchParams } from 'wouter';

/** Address of the feedback on one recording, in the student's list. */
export const answerTo = (recordingId: number) => `/feedback?recording=${recordingId}`;

/** Address of the feedback on one recording, among all that was given. */
export const pastFeedbackOn = (recordingId: number) => `/past-feedback?recording=${recordingId}`;

/** The recording that the address names; null when it names none. */
export function useAskedRecording() {
  const [address] = useSearchParams();
  const id = Number(address.get('recording'));
  return Number.isInteger(id) && id > 0 ? id : null;
}
