import { useQuery } from '@tanstack/react-query';
import { useUser } from '#web/api/session.ts';
import { waitingSeconds } from './practice-store.ts';
import { sendPractice } from './send-practice.ts';

/** Seconds of practice that this device has counted and can't send just now. Tries to send them first. */
export function useWaitingPractice(): number {
  const { id } = useUser();
  const { data = 0 } = useQuery({
    queryKey: ['practice on this device', id],
    queryFn: async ({ signal }) => {
      await sendPractice(id, signal).catch(() => undefined);
      // A device that stores nothing has nothing that waits.
      return waitingSeconds(id).catch(() => 0);
    },
    staleTime: 0,
    gcTime: 0,
  });
  return data;
}
