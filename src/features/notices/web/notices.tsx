import { useQuery } from '@tanstack/react-query';
import { Fetched } from '../../../platform/web/fetched.tsx';
import { lazyPart } from '../../../platform/web/lazy-page.ts';
import { apiQuery } from '../../../platform/web/query-client.ts';

export const NoticeList = lazyPart(() => import('./notice-list.tsx'));

/**
 * Notices about the installation itself, above every page until resolved. They appear and disappear by themselves,
 * without moving focus.
 */
export function Notices() {
  const { data: notices = [] } = useQuery(apiQuery('GET /api/admin/notices'));
  return (
    // Rendered from the start, so that a screen reader announces later notices.
    <div role="status">{notices.length > 0 && <Fetched part={NoticeList} notices={notices} />}</div>
  );
}
