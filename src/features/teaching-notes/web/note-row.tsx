import { useMutation } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Pencil, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { callApi, getErrorMessage } from '#web/api/call.ts';
import { loadDraft } from '#web/drafts/draft-storage.ts';
import { useFormDraft } from '#web/drafts/use-form-draft.ts';
import { useUser } from '#web/api/session.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import { formatDuration } from '#web/ui/format-duration.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import type { Melody } from '#features/melodies/contract.ts';
import type { SungLine } from '#features/lyrics/parse.ts';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import type { TeachingNote } from '../contract.ts';
import { StudentPassage, NoteVoiceButton } from './note-card.tsx';
import { NoteForm } from './note-form.tsx';
import type { NoteVoicePlayer } from './note-voice-player.ts';
import { isNoteEdited, createNoteDraftOptions, type NoteToSend } from './note-draft.ts';
import { getTeachingNotesUrl } from './use-line-notes.ts';

type NoteRowProps = {
  melody: Melody;
  lines: readonly SungLine[];
  note: TeachingNote;
  /** Index among the notes on its line. */
  place: number;
  /** Ids of the notes on its line, in order. */
  ids: readonly number[];
  voices: NoteVoicePlayer;
  /** @param sentence describes the note's new position */
  onMoved: (sentence: string) => void;
  /** Called after saving, possibly to another line, or after cancelling. */
  onEdited: () => void;
  onGone: () => void;
};

const getDraftName = ({ id }: TeachingNote) => `teaching note ${id}`;

export function NoteRow(props: NoteRowProps) {
  const { note, voices } = props;
  const userId = useUser().id;
  const [isEditing, setIsEditing] = useState(() => loadDraft(userId, getDraftName(note)) !== null);
  return (
    <li data-row={note.id} tabIndex={-1} className="rounded-lg border border-line bg-surface p-3">
      {isEditing ? (
        <EditNoteForm
          {...props}
          onDone={() => {
            setIsEditing(false);
            props.onEdited();
          }}
        />
      ) : (
        <>
          {note.text !== '' && (
            <p {...getLangProps(note.text)} className="font-serif wrap-anywhere whitespace-pre-line">
              {note.text}
            </p>
          )}
          {note.studentPassage && <StudentPassage passage={note.studentPassage} {...{ voices }} />}
          <div className="-mb-1 flex flex-wrap items-center gap-1">
            {note.voice && <NoteVoiceButton {...{ voices }} voice={note.voice} />}
            <span className="ms-auto flex">
              <MoveButtons {...props} />
              <IconButton
                data-edit
                label="Edit the note"
                icon={<Pencil />}
                onClick={() => setIsEditing(true)}
              />
              <DeleteNoteButton {...props} />
            </span>
          </div>
        </>
      )}
    </li>
  );
}

type EditNoteFormProps = NoteRowProps & { onDone: () => void };

function EditNoteForm({ melody, lines, note, onDone }: EditNoteFormProps) {
  const { id, line, text, voice } = note;
  const saved = { line, text, hasVoice: voice !== null };
  const draft = useFormDraft(createNoteDraftOptions(getDraftName(note), saved));
  const typed = draft.value;
  const [wasRestored] = useState(isNoteEdited(typed, saved));
  const end = () => {
    draft.forget();
    onDone();
  };
  const save = useMutation({
    mutationFn: (changed: NoteToSend) =>
      callApi('PUT /api/teaching-notes/{id}', {
        params: { id },
        body: { ...changed, removeVoice: voice !== null && !typed.hasVoice },
      }),
    meta: { refreshes: [getTeachingNotesUrl(melody.id)] },
    onSuccess: end,
  });
  return (
    <NoteForm
      {...{ lines, typed, wasRestored }}
      onChange={draft.change}
      {...(voice && { voiceLabel: `Include the voice note, ${formatDuration(voice.duration)}` })}
      submitLabel="Save note"
      isBusy={save.isPending}
      error={save.error}
      onSubmit={save.mutate}
      onCancel={end}
    />
  );
}

function MoveButtons({ melody, note, place, ids, onMoved }: NoteRowProps) {
  const buttons = useRef<HTMLSpanElement>(null);
  const moved = useRef<'up' | 'down' | null>(null);
  const move = useMutation({
    mutationFn: (to: number) => {
      const others = ids.filter((id) => id !== note.id);
      return callApi('PUT /api/melodies/{id}/teaching-notes/order', {
        params: { id: melody.id },
        body: { ids: [...others.slice(0, to), note.id, ...others.slice(to)] },
      });
    },
    meta: { refreshes: [getTeachingNotesUrl(melody.id)] },
    onSuccess: (_, to) => onMoved(`Moved: now ${to + 1} of ${ids.length}.`),
  });
  // Restores focus, which is lost when the row moves in the DOM.
  useEffect(() => {
    if (moved.current) buttons.current?.querySelector<HTMLElement>(`[data-move=${moved.current}]`)?.focus();
    moved.current = null;
  }, [place]);
  if (ids.length < 2) return null;
  const press = (way: 'up' | 'down') => () => {
    moved.current = way;
    move.mutate(place + (way === 'up' ? -1 : 1));
  };
  return (
    <span ref={buttons} className="flex flex-wrap items-center justify-end">
      {move.isError && (
        <span role="alert" className="px-2 text-sm font-semibold text-danger">
          Not moved. {getErrorMessage(move.error, 'Please try again.')}
        </span>
      )}
      <IconButton
        data-move="up"
        label="Move the note up"
        icon={<ArrowUp />}
        isInactive={place === 0 || move.isPending}
        onClick={press('up')}
      />
      <IconButton
        data-move="down"
        label="Move the note down"
        icon={<ArrowDown />}
        isInactive={place === ids.length - 1 || move.isPending}
        onClick={press('down')}
      />
    </span>
  );
}

function DeleteNoteButton({ melody, note, onGone }: NoteRowProps) {
  const [isConfirming, setIsConfirming] = useState(false);
  const deletion = useMutation({
    mutationFn: () => callApi('DELETE /api/teaching-notes/{id}', { params: { id: note.id } }),
    meta: { refreshes: [getTeachingNotesUrl(melody.id)] },
    onSuccess: () => {
      setIsConfirming(false);
      onGone();
    },
  });
  return (
    <>
      <IconButton label="Delete the note" icon={<Trash2 />} onClick={() => setIsConfirming(true)} />
      <ConfirmDialog
        isOpen={isConfirming}
        onOpenChange={setIsConfirming}
        sentence="Delete this note?"
        note="Students stop seeing it right away, and it can’t be recovered."
        failure={
          deletion.error && getErrorMessage(deletion.error, 'The note wasn’t deleted. Please try again.')
        }
        confirmLabel="Delete"
        isDangerous
        busy={deletion.isPending}
        onConfirm={deletion.mutate}
      />
    </>
  );
}
