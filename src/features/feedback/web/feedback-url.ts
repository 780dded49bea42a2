import { useSearchParams } from 'wouter';

/** Returns the URL of the feedback on one recording, in the student's list. */
export const getFeedbackUrl = (recordingId: number) => `/feedback?recording=${recordingId}`;

/** Returns the URL of the feedback on one recording, in Past Feedback. */
export const getPastFeedbackUrl = (recordingId: number) => `/past-feedback?recording=${recordingId}`;

/** Returns the recording id in the current URL, or null. */
export function useRecordingIdFromUrl() {
  const [address] = useSearchParams();
  const id = Number(address.get('recording'));
  return Number.isInteger(id) && id > 0 ? id : null;
}
