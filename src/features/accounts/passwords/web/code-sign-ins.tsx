import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query-client.ts';
import { Notice } from '#web/ui/notice.tsx';
import { ExactDate } from '#web/ui/time-ago.tsx';

/** Sign-ins with a code that a teacher showed; nothing if there were none. */
export function CodeSignIns() {
  const { data = [] } = useQuery(apiQuery('GET /api/user/code-sign-ins'));
  if (data.length === 0) return null;
  return (
    <Notice isQuiet title="Signed in with a teacher’s code">
      <ul className="grid gap-1">
        {data.map(({ shownBy, device, at }) => (
          <li key={at}>
            <ExactDate time={at} />: {device}, with a code that <bdi>{shownBy}</bdi> showed
          </li>
        ))}
      </ul>
      <p className="mt-2">If that was not you, ask your teacher.</p>
    </Notice>
  );
}
