import { usePages } from '../../../platform/web/pages.ts';
import { LongList } from '../../../platform/web/ui/long-list.tsx';
import { SkeletonList } from '../../../platform/web/ui/skeleton.tsx';
import { TimeAgo } from '../../../platform/web/ui/time-ago.tsx';
import { auditMessage } from './audit-messages.ts';

/** The audit log, newest first. */
export function AuditSection() {
  return (
    <section id="who-did-what" aria-labelledby="who-did-what-heading" className="min-w-0 scroll-mt-24">
      <h2 id="who-did-what-heading" tabIndex={-1} className="mb-3 text-2xl">
        Who did what
      </h2>
      <Entries />
    </section>
  );
}

function Entries() {
  const pages = usePages('GET /api/admin/audit-log');
  return (
    <LongList
      pages={pages}
      failure="The record could not be loaded."
      skeleton={
        <SkeletonList label="Loading the record..." count={4} className="gap-3" itemClassName="h-12" />
      }
      empty={<p className="text-soft">What is done here will be written down.</p>}
      as="ul"
      className="mb-5 divide-y divide-line border-y border-line"
      item={(entry) => (
        <li key={entry.id} className="py-2.5 text-sm break-words">
          {auditMessage(entry)}, <TimeAgo time={entry.at} className="text-soft" />
        </li>
      )}
    />
  );
}
