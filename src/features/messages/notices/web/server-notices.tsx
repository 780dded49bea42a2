import { useQuery } from '@tanstack/react-query';
import { LazyBoundary } from '#web/navigation/lazy-boundary.tsx';
import { createLazyComponent } from '#web/navigation/lazy-component.ts';
import { createApiQuery } from '#web/api/query-client.ts';

export const LazyNoticeList = createLazyComponent(() => import('./notice-list.tsx'));

/**
 * Notices about the installation, shown above every page until they are resolved. They appear and disappear
 * without moving focus.
 */
export function ServerNotices() {
  const { data: notices = [] } = useQuery(createApiQuery('GET /api/admin/notices'));
  return (
    // The container is rendered from the start, so that a screen reader announces later notices.
    <div role="status">{notices.length > 0 && <LazyBoundary part={LazyNoticeList} notices={notices} />}</div>
  );
}
