import { useState } from 'react';
import { usePagedList } from '#web/navigation/paged-list.ts';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { SkeletonList } from '#web/ui/skeleton.tsx';
import { TimeAgo } from '#web/ui/time-ago.tsx';
import type { AuditEntry } from '../contract.ts';
import { formatAuditMessage } from './audit-messages.ts';

export function AuditSection() {
  return (
    <section id="who-did-what" aria-labelledby="who-did-what-heading" className="min-w-0 scroll-mt-24">
      <h2 id="who-did-what-heading" tabIndex={-1} className="mb-3 text-2xl">
        Activity
      </h2>
      <Entries />
    </section>
  );
}

function Entries() {
  const pages = usePagedList('GET /api/admin/audit-log');
  return (
    <InfiniteList
      pages={pages}
      failure="The activity could not be loaded."
      skeleton={
        <SkeletonList label="Loading the activity..." count={4} className="gap-3" itemClassName="h-12" />
      }
      empty={<p className="text-soft">Nothing yet.</p>}
      as="ul"
      className="mb-5 divide-y divide-line border-y border-line"
      item={(entry) => (
        <li key={entry.id} className="py-2.5 text-sm break-words">
          {formatAuditMessage(entry)}, <TimeAgo time={entry.at} className="text-soft" />
          {entry.count > 1 && <BatchNames entry={entry} />}
        </li>
      )}
    />
  );
}

/** Button that shows or hides the names of the people affected by a bulk action. */
function BatchNames({ entry }: { entry: AuditEntry }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      {' '}
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="link min-h-11 px-2"
      >
        {isOpen ? 'Hide names' : 'Show names'}
      </button>
      {isOpen && <BatchEntries id={entry.id} />}
    </>
  );
}

function BatchEntries({ id }: { id: number }) {
  const pages = usePagedList('GET /api/admin/audit-log', { query: { within: id } });
  return (
    <InfiniteList
      pages={pages}
      failure="The names could not be loaded."
      skeleton={<SkeletonList count={1} itemClassName="h-12" />}
      empty={null}
      as="ul"
      className="ms-4 border-s border-line ps-4"
      item={(entry) => (
        <li key={entry.id} className="py-1">
          <bdi>{entry.subjectName}</bdi>
          {entry.detail && <span className="text-soft"> · {entry.detail}</span>}
        </li>
      )}
    />
  );
}
