import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../platform/web/query-client.ts';
import { attemptName } from './attempt-name.ts';

/** 'Second attempt', for who has sung this melody before; nothing for a first one. */
export function NextAttempt({ melodyId }: { melodyId: number | null }) {
  const { data = [] } = useQuery({
    ...apiQuery('GET /api/student/recordings', { query: {} }),
    enabled: melodyId !== null,
  });
  const attempts = data.flatMap((each) => (each.melodyId === melodyId && each.attempt ? [each.attempt] : []));
  if (melodyId === null || attempts.length === 0) return null;
  return (
    <p className="-mt-2 text-sm font-semibold text-saffron-ink">
      {attemptName(Math.max(...attempts) + 1)} at this melody
    </p>
  );
}
