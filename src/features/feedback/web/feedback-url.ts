import { useSearchParams } from 'wouter';

/** Returns the address of the feedback on one recording, in the student's list. */
export const getFeedbackUrl = (recordingId: number) => `/feedback?recording=${recordingId}`;

/** Returns the address of the feedback on one recording, in Past Feedback. */
export const getPastFeedbackUrl = (recordingId: number) => `/past-feedback?recording=${recordingId}`;

/** Returns the recording that the address names, or null. */
export function useRecordingIdFromUrl() {
  const [address] = useSearchParams();
  const id = Number(address.get('recording'));
  return Number.isInteger(id) && id > 0 ? id : null;
}
