import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query-client.ts';
import { attemptName } from '#features/recordings/web/attempt-name.ts';

/** 'Second attempt', for students who have recorded this melody before; nothing for a first attempt. */
export function NextAttempt({ melodyId }: { melodyId: number | null }) {
  const { data } = useQuery({
    ...apiQuery('GET /api/student/recordings/count', { query: { melodyId: melodyId ?? 0 } }),
    enabled: melodyId !== null,
  });
  if (melodyId === null) return null;
  return (
    // Its room is there before it is known.
    <p className="min-h-6 text-sm font-semibold text-saffron-ink">
      {data && data.count > 0 && `${attemptName(data.count + 1)} at this melody`}
    </p>
  );
}
