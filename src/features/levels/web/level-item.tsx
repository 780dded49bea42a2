import { Button } from '../../../platform/web/ui/button.tsx';
import type { ManagedLevel } from '../contract.ts';
import { LevelBadge } from './level-badge.tsx';

type LevelItemProps = { level: ManagedLevel; onEdit: () => void; onDelete: () => void };

export function LevelItem({ level, onEdit, onDelete }: LevelItemProps) {
  const { id, name, description, melodyCount } = level;
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-1 py-3">
      <div className="min-w-0 grow basis-72">
        <h3 tabIndex={-1} data-item={id} className="max-w-full scroll-mt-24 font-sans text-base break-words">
          <LevelBadge level={level} className="max-w-full" />
        </h3>
        {description && (
          <p className="mt-1 text-sm break-words whitespace-pre-line text-soft">{description}</p>
        )}
        <p className="mt-1 text-sm">{melodies(melodyCount)}</p>
      </div>
      <div className="-mx-4 flex sm:mx-0">
        <Button variant="quiet" aria-label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </Button>
        {melodyCount === 0 && (
          <Button variant="quiet" aria-label={`Delete ${name}`} onClick={onDelete} className="text-danger!">
            Delete
          </Button>
        )}
      </div>
    </li>
  );
}

function melodies(count: number) {
  if (count === 0) return 'No melodies';
  return count === 1 ? '1 melody' : `${count} melodies`;
}
