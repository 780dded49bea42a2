import { useMutation, useQuery } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { callApi, getErrorMessage } from '#web/api/call.ts';
import { createApiQuery } from '#web/api/query-client.ts';
import { useForm } from '#web/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SkeletonList } from '#web/ui/skeleton.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import type { Phrase } from '../contract.ts';
import { MAX_PHRASE_NAME_LENGTH, MAX_PHRASE_TEXT_LENGTH } from '../limits.ts';
import { NAME_PLACEHOLDER } from '../placeholder.ts';

type PhrasesDialogProps = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  newPhraseText?: string;
};

/** Dialog to add, edit and remove the teacher's phrases. */
export function PhrasesDialog({ isOpen, onOpenChange, newPhraseText }: PhrasesDialogProps) {
  return (
    <Dialog
      {...{ isOpen, onOpenChange }}
      size="wide"
      title="Phrases"
      description={`Type a slash and the name, for example “/breath”. ${NAME_PLACEHOLDER} becomes the student’s first name.`}
    >
      <Phrases {...(newPhraseText === undefined ? {} : { wording: newPhraseText })} />
    </Dialog>
  );
}

function Phrases({ wording }: { wording?: string }) {
  const phrases = useQuery(createApiQuery('GET /api/admin/phrases'));
  const [isAdding, setIsAdding] = useState(wording !== undefined);
  const [editedId, setEditedId] = useState<number | null>(null);
  const [removed, setRemoved] = useState<Omit<Phrase, 'id'> | null>(null);
  const removing = useMutation({
    mutationFn: ({ id }: Phrase) => callApi('DELETE /api/admin/phrases/{id}', { params: { id } }),
    onSuccess: (_, phrase) => setRemoved(phrase),
    meta: REFRESHES,
  });
  const restoring = useMutation({
    mutationFn: ({ name, text }: Omit<Phrase, 'id'>) =>
      callApi('POST /api/admin/phrases', { body: { name, text } }),
    onSuccess: () => setRemoved(null),
    meta: REFRESHES,
  });
  // Prevents a second removal. A removed phrase stays in the list until the list has been refetched.
  const isBeingRemoved = ({ id }: Phrase) =>
    removing.isPending || (removing.isSuccess && removing.variables.id === id);
  const failure = removing.error ?? restoring.error;
  if (phrases.isError && !phrases.data)
    return <LoadFailure sentence="Your phrases could not be loaded." of={phrases} />;
  if (!phrases.data) return <SkeletonList label="Loading your phrases..." count={3} itemClassName="h-14" />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {isAdding ? (
        <PhraseForm phrase={{ name: '', text: wording ?? '' }} onDone={() => setIsAdding(false)} />
      ) : (
        <Button
          icon={<Plus aria-hidden="true" />}
          onClick={() => setIsAdding(true)}
          className="justify-self-start"
        >
          Add a phrase
        </Button>
      )}
      {failure && (
        <Notice tone="danger" title="Your phrases weren’t changed.">
          {getErrorMessage(failure, 'The connection was lost.')}
        </Notice>
      )}
      <div role="status" className="empty:hidden">
        {removed && (
          <div className="flex flex-wrap items-center justify-between gap-3 rounded-md bg-sunk px-4 py-2 text-sm">
            <span>
              <bdi>/{removed.name}</bdi> was removed.
            </span>
            <Button busy={restoring.isPending} onClick={() => restoring.mutate(removed)}>
              Undo
            </Button>
          </div>
        )}
      </div>
      {phrases.data.length === 0 && !isAdding && (
        <p className="text-soft">Save sentences you write often and insert them by name.</p>
      )}
      <ul className="grid grid-cols-[minmax(0,1fr)] divide-y divide-line empty:hidden">
        {phrases.data.map((phrase) => (
          <li key={phrase.id} className="py-3">
            {phrase.id === editedId ? (
              <PhraseForm {...{ phrase }} onDone={() => setEditedId(null)} />
            ) : (
              <div className="flex items-start gap-2">
                <div className="min-w-0 grow sm:grid sm:grid-cols-[8rem_minmax(0,1fr)] sm:gap-4 sm:pt-2">
                  <p dir="auto" className="font-semibold break-words text-lapis">
                    /{phrase.name}
                  </p>
                  <p dir="auto" className="break-words whitespace-pre-line">
                    {phrase.text}
                  </p>
                </div>
                <IconButton
                  label={`Edit /${phrase.name}`}
                  icon={<Pencil aria-hidden="true" />}
                  onClick={() => setEditedId(phrase.id)}
                />
                <IconButton
                  label={`Remove /${phrase.name}`}
                  icon={<Trash2 aria-hidden="true" />}
                  onClick={() => !isBeingRemoved(phrase) && removing.mutate(phrase)}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

const REFRESHES = { refreshes: ['/api/admin/phrases'] } as const;

type PhraseFormProps = { phrase: Omit<Phrase, 'id'> & { id?: number }; onDone: () => void };

function PhraseForm({ phrase, onDone }: PhraseFormProps) {
  const [name, setName] = useState(phrase.name);
  const [text, setText] = useState(phrase.text);
  const { id } = phrase;
  const saving = useMutation({
    mutationFn: (body: Omit<Phrase, 'id'>) =>
      id === undefined
        ? callApi('POST /api/admin/phrases', { body })
        : callApi('PUT /api/admin/phrases/{id}', { params: { id }, body }),
    onSuccess: onDone,
    meta: REFRESHES,
  });
  const { props, problems } = useForm({
    values: { name: name.trim().replace(/^\//, ''), text: text.trim() },
    schema: async () => (await import('../contract.ts')).phrasesApi.add.body,
    onValid: (body) => {
      if (!saving.isPending) saving.mutate(body);
    },
  });
  return (
    <form {...props} className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-md bg-sunk p-4">
      <TextField
        autoFocus
        label="Name"
        name="name"
        autoCapitalize="none"
        autoComplete="off"
        value={name}
        limit={MAX_PHRASE_NAME_LENGTH}
        error={problems.name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextArea
        label="Text"
        name="text"
        rows={3}
        value={text}
        limit={MAX_PHRASE_TEXT_LENGTH}
        error={problems.text}
        onChange={(event) => setText(event.target.value)}
      />
      {saving.error && (
        <Notice tone="danger" title="The phrase wasn’t saved.">
          {getErrorMessage(saving.error, 'The connection was lost. What you typed is still here.')}
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" busy={saving.isPending}>
          Save phrase
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  );
}
