import { useQuery, useMutation } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { createApiQuery } from '#web/api/query-client.ts';
import { Button } from '#web/ui/button.tsx';
import { useFocusAfterRemoval } from '#web/ui/use-focus-after-removal.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SkeletonList } from '#web/ui/skeleton.tsx';
import type { ManagedLevel } from '../contract.ts';
import {
  type LevelOutcome,
  reportLevelFailure,
  PATHS_WITH_LEVEL_NAMES,
  reportLevelSuccess,
} from './level-outcome.ts';
import { LevelDialog } from './level-dialog.tsx';
import { LevelBadge } from './level-badge.tsx';
import { callApi } from '#web/api/call.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';

/** Section in which the teacher adds, edits and deletes levels. */
export function LevelsSection() {
  const levels = useQuery(createApiQuery('GET /api/admin/transmission-levels'));
  return (
    <section id="levels" aria-labelledby="levels-heading" className="min-w-0 scroll-mt-24">
      <h2 id="levels-heading" tabIndex={-1} className="text-2xl">
        Levels
      </h2>
      <p className="measure mb-4 text-soft">
        Each melody requires one of these levels. You can delete a level that no melody uses.
      </p>
      {levels.data ? (
        <Levels levels={levels.data} />
      ) : levels.isError ? (
        <LoadFailure sentence="Couldn’t load the transmission levels." of={levels} />
      ) : (
        <SkeletonList count={5} className="gap-3" itemClassName="h-20" />
      )}
    </section>
  );
}

function Levels({ levels }: { levels: readonly ManagedLevel[] }) {
  const list = useRef<HTMLDivElement>(null);
  const [edited, setEdited] = useState<ManagedLevel | 'new' | null>(null);
  const [deleting, setDeleting] = useState<ManagedLevel | null>(null);
  const [outcome, setOutcome] = useState<LevelOutcome | null>(null);
  useFocusAfterRemoval(
    list,
    levels.map(({ id }) => id),
  );
  return (
    <div ref={list}>
      {levels.length > 0 && (
        <ul className="mb-5 divide-y divide-line border-y border-line">
          {levels.map((level) => (
            <LevelItem
              key={level.id}
              level={level}
              onEdit={() => setEdited(level)}
              onDelete={() => setDeleting(level)}
            />
          ))}
        </ul>
      )}
      {outcome && (
        <Notice tone={outcome.isFailure ? 'danger' : 'success'} title={outcome.title} className="mb-5">
          {outcome.text}
        </Notice>
      )}
      <Button data-when-empty="" icon={<Plus />} onClick={() => setEdited('new')}>
        Add Level
      </Button>
      <LevelDialog edited={edited} onClose={() => setEdited(null)} onOutcome={setOutcome} />
      <DeleteLevelDialog level={deleting} onClose={() => setDeleting(null)} onOutcome={setOutcome} />
    </div>
  );
}

type LevelItemProps = { level: ManagedLevel; onEdit: () => void; onDelete: () => void };

function LevelItem({ level, onEdit, onDelete }: LevelItemProps) {
  const { id, name, description, neverKept, melodyCount } = level;
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-1 py-3">
      <div className="min-w-0 grow basis-72">
        <h3 tabIndex={-1} data-item={id} className="max-w-full scroll-mt-24 font-sans text-base break-words">
          <LevelBadge level={level} className="max-w-full" />
        </h3>
        {description && (
          <p dir="auto" className="mt-1 text-sm break-words whitespace-pre-line text-soft">
            {description}
          </p>
        )}
        <p className="mt-1 text-sm">
          {formatMelodyCount(melodyCount)}
          {neverKept && ' · Never available offline'}
        </p>
      </div>
      <div className="-mx-4 flex sm:mx-0">
        <Button variant="quiet" aria-label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </Button>
        {melodyCount === 0 && (
          <Button
            variant="quiet"
            aria-label={`Delete ${name}`}
            onClick={onDelete}
            className="text-danger! dark:text-soft! dark:hover:text-danger!"
          >
            Delete
          </Button>
        )}
      </div>
    </li>
  );
}

function formatMelodyCount(count: number) {
  if (count === 0) return 'No melodies';
  return count === 1 ? '1 melody' : `${count} melodies`;
}

type DeleteLevelDialogProps = {
  level: ManagedLevel | null;
  onClose: () => void;
  onOutcome: (outcome: LevelOutcome) => void;
};

function DeleteLevelDialog({ level, onClose, onOutcome }: DeleteLevelDialogProps) {
  const remove = useMutation({
    mutationFn: ({ id }: ManagedLevel) =>
      callApi('DELETE /api/admin/transmission-levels/{id}', { params: { id } }),
    meta: { refreshes: PATHS_WITH_LEVEL_NAMES },
    onSuccess: (_answer, { name }) => onOutcome(reportLevelSuccess('Level deleted', name)),
    onError: (error) => onOutcome(reportLevelFailure('Failed to delete level', error)),
    onSettled: onClose,
  });
  return (
    <ConfirmDialog
      isOpen={level !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      sentence={`Delete the level ${level?.name ?? ''}?`}
      note="No melody uses it. Everyone who has this level will lose it."
      confirmLabel="Delete"
      isDangerous
      busy={remove.isPending}
      onConfirm={() => level && remove.mutate(level)}
    />
  );
}
