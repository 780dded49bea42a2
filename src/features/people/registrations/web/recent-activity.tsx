import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { ExactDate } from '#web/ui/time-ago.tsx';
import type { Registration } from '../contract.ts';

/** The latest approvals. */
export function RecentActivity({ requests }: { requests: readonly Registration[] }) {
  return (
    <section aria-labelledby="recent-activity" className="min-w-0">
      <h2 id="recent-activity" className="mb-4 text-2xl">
        Recent Activity
      </h2>
      {requests.length === 0 ? (
        <p className="text-soft">No recent activity. The requests that you approve will be listed here.</p>
      ) : (
        <Card className="py-2 sm:py-2">
          <ul className="divide-y divide-line">
            {requests.map(({ id, fullName, email, processedAt }) => (
              <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
                <div className="min-w-0 grow basis-56">
                  <p dir="auto" className="font-semibold break-words">
                    {fullName}
                  </p>
                  <p className="text-sm break-words text-soft">{email}</p>
                </div>
                <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
                  <Badge tone="done">Approved</Badge>
                  {processedAt && <ExactDate time={processedAt} />}
                </p>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </section>
  );
}
