import { useMutation, useQuery } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { callApi, getErrorMessage } from '#web/api/call.ts';
import { createApiQuery } from '#web/api/query-client.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TimeAgo } from '#web/ui/time-ago.tsx';

/** Lists the latest imports, with a button to undo each. Renders nothing if there are none. */
export function EarlierImports({ onUndone }: Pick<UndoImportButtonProps, 'onUndone'>) {
  const { data = [] } = useQuery({ ...createApiQuery('GET /api/admin/melody-imports'), staleTime: 0 });
  if (data.length === 0) return null;
  return (
    <section aria-labelledby="earlier-imports" className="mt-8 max-w-3xl">
      <h2 id="earlier-imports" className="text-2xl">
        Earlier imports
      </h2>
      <ul className="mt-3 divide-y divide-line rounded-lg border border-line bg-surface">
        {data.map(({ id, melodies, addedAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
            <span>
              {melodies.toLocaleString('en')} {melodies === 1 ? 'melody' : 'melodies'},{' '}
              <TimeAgo time={addedAt} />
            </span>
            <UndoImportButton importId={id} count={melodies} onUndone={onUndone} />
          </li>
        ))}
      </ul>
    </section>
  );
}

type UndoImportButtonProps = {
  importId: string;
  /** Number of melodies in the import. */
  count: number;
  /** @param count number of melodies removed from the library */
  onUndone: (count: number) => void;
};

/** Button that removes all melodies of an import after confirmation. */
export function UndoImportButton({ importId, count, onUndone }: UndoImportButtonProps) {
  const [isConfirming, setIsConfirming] = useState(false);
  const undo = useMutation({
    mutationFn: () => callApi('DELETE /api/admin/melody-imports/{id}', { params: { id: importId } }),
    meta: { refreshes: ['/api/admin/melody-imports', '/api/melodies', '/api/admin/transmission-levels'] },
    onSuccess: () => onUndone(count),
    onSettled: () => setIsConfirming(false),
  });
  const melodies = `${count.toLocaleString('en')} ${count === 1 ? 'melody' : 'melodies'}`;
  return (
    <>
      <Button icon={<Undo2 />} onClick={() => setIsConfirming(true)}>
        Undo this import
      </Button>
      {undo.isError && (
        <Notice tone="danger" title="The import couldn’t be undone." className="basis-full">
          {getErrorMessage(undo.error, 'Please try again.')}
        </Notice>
      )}
      <ConfirmDialog
        isOpen={isConfirming}
        onOpenChange={setIsConfirming}
        sentence={`Remove ${melodies} from the library?`}
        note="Everything this import added will be removed, including its audio. Your own files aren’t changed."
        confirmLabel="Undo import"
        isDangerous
        busy={undo.isPending}
        onConfirm={() => undo.mutate()}
      />
    </>
  );
}
