import { useSearchParams } from 'wouter';

/** Where a student finds the answer to one recording, in the list of all of them. */
export const answerTo = (recordingId: number) => `/feedback?recording=${recordingId}`;

/** Whose answer the address asks for; null when it asks for none. */
export function useAskedRecording() {
  const [address] = useSearchParams();
  const id = Number(address.get('recording'));
  return Number.isInteger(id) && id > 0 ? id : null;
}
