import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Plus } from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { createApiQuery } from '#web/api/query-client.ts';
import { ScreenReaderAnnouncement } from '#web/ui/announcement.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { fillPlaceholder, type StudentNameFields, createNameReplacer } from '../placeholder.ts';
import { type PhraseChoice, getPhraseChoices, type TypedSlash, findTypedSlash } from './phrase-choices.ts';
import { PhrasesDialog } from './phrases-dialog.tsx';

type PhraseTextAreaProps = Omit<ComponentProps<typeof TextArea>, 'value' | 'onChange' | 'ref'> & {
  value: string;
  onText: (text: string) => void;
  /** The recipient; null in a bulk reply, where placeholders are filled in only when the reply is sent. */
  student: StudentNameFields | null;
  /** Melody whose earlier feedback provides suggested sentences; null to suggest no sentences. */
  melodyId: number | null;
};

/** Text area that suggests phrases. */
export function PhraseTextArea({ student, melodyId, onText, onBlur, ...props }: PhraseTextAreaProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const phrases = usePhraseSuggestions({ area, value: props.value, student, melodyId });
  return (
    <div className="relative">
      <TextArea
        {...props}
        ref={area}
        onChange={({ target }) => {
          onText(target.value);
          phrases.updateSuggestions();
        }}
        onSelect={phrases.updateSuggestions}
        onKeyDown={phrases.onKeyDown}
        onBlur={(event) => {
          phrases.hide();
          onBlur?.(event);
        }}
        {...phrases.aria}
      />
      {phrases.list}
    </div>
  );
}

type PhrasesOptions = Pick<PhraseTextAreaProps, 'value' | 'student' | 'melodyId'> & {
  area: { readonly current: TextBox | null };
};

/**
 * Manages a list of phrases, which opens below the current line when a word begins with a slash. Focus stays in
 * the text field: arrow keys move the selection, Enter and Tab choose, Esc closes the list.
 */
export function usePhraseSuggestions({ area, value: text, student, melodyId }: PhrasesOptions) {
  const listId = useId();
  const [typed, setTyped] = useState<(TypedSlash & { isByKey: boolean }) | null>(null);
  const [active, setActive] = useState(0);
  const closedAt = useRef<number | null>(null);
  const [newPhraseText, setNewPhraseText] = useState<string | null>(null);
  // Fetched before the first slash, so that the list is ready for fast typists.
  const phrases = useQuery(createApiQuery('GET /api/admin/phrases'));
  const offered = useQuery({
    ...createApiQuery('GET /api/admin/melodies/{id}/phrases', { params: { id: melodyId ?? 0 } }),
    enabled: typed !== null && melodyId !== null,
    staleTime: 0,
  });
  const choices = typed ? getPhraseChoices(typed.query, phrases.data ?? [], offered.data ?? []) : [];
  const isOpen = typed !== null && (choices.length > 0 || typed.isByKey);
  const chosen = Math.min(active, choices.length);

  const updateSuggestions = () => {
    const { value, selectionStart, selectionEnd, readOnly } = area.current!;
    const next =
      readOnly || selectionEnd === null || selectionStart !== selectionEnd
        ? null
        : findTypedSlash(value, selectionEnd);
    if (next?.start !== closedAt.current) closedAt.current = null;
    const shown = closedAt.current === null ? next : null;
    if (shown?.start === typed?.start && shown?.query === typed?.query) return;
    setTyped(shown && { ...shown, isByKey: wasOpenedByShortcut(area.current!, shown.start) });
    setActive(0);
  };
  const replaceTyped = (text: string) => {
    if (!area.current || !typed) return;
    area.current.setSelectionRange(typed.start, area.current.selectionEnd);
    insertText(area.current, text);
    setTyped(null);
  };
  const close = () => {
    closedAt.current = typed?.start ?? null;
    if (typed?.isByKey) replaceTyped('');
    setTyped(null);
  };
  const choosePhrase = (index: number) => {
    const choice = choices[index];
    if (choice) return replaceTyped(student ? fillPlaceholder(student, choice.text) : choice.text);
    const { value, selectionEnd } = area.current!;
    const words = (value.slice(0, typed?.start) + value.slice(selectionEnd ?? 0)).trim();
    replaceTyped('');
    setNewPhraseText(student ? createNameReplacer(student)(words) : words);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, nativeEvent } = event;
    if (!isOpen || ctrlKey || metaKey || altKey || shiftKey || nativeEvent.isComposing) return;
    const count = choices.length + 1;
    if (key === 'ArrowDown') setActive((chosen + 1) % count);
    else if (key === 'ArrowUp') setActive((chosen + count - 1) % count);
    else if (key === 'Enter' || key === 'Tab') choosePhrase(chosen);
    else if (key === 'Escape') close();
    else return;
    event.preventDefault();
  };

  return {
    /** Opens, updates or closes the list. Must be called when the text or the caret has changed. */
    updateSuggestions,
    /** Calls `preventDefault` for each key that it handles. */
    onKeyDown,
    hide: () => setTyped(null),
    aria: {
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      'aria-controls': isOpen ? listId : undefined,
      'aria-activedescendant': isOpen ? `${listId}-${chosen}` : undefined,
    } as const,
    /** Must be rendered next to the text field, in a positioned element. */
    list: (
      <>
        <ScreenReaderAnnouncement text={isOpen ? formatCount(choices.length) : ''} />
        {isOpen && (
          <PhraseList
            id={listId}
            {...{ choices, chosen, area }}
            onChoose={choosePhrase}
            shownText={(choice) => (student ? fillPlaceholder(student, choice.text) : choice.text)}
            saveLabel={text.trim() === '/' ? 'Add a phrase' : 'Save my text as a phrase'}
          />
        )}
        <PhrasesDialog
          isOpen={newPhraseText !== null}
          onOpenChange={() => setNewPhraseText(null)}
          {...(newPhraseText === null ? {} : { newPhraseText })}
        />
      </>
    ),
  };
}

const formatCount = (count: number) => (count === 1 ? 'One phrase' : `${count === 0 ? 'No' : count} phrases`);

type PhraseListProps = {
  id: string;
  choices: readonly PhraseChoice[];
  chosen: number;
  area: PhrasesOptions['area'];
  onChoose: (index: number) => void;
  shownText: (choice: PhraseChoice) => string;
  saveLabel: string;
};

/**
 * List of phrases below the line with the caret. On narrow screens, it is scrolled into view. On wide
 * screens, it is placed above the line if there is no room below.
 */
function PhraseList({ id, choices, chosen, area, onChoose, shownText, saveLabel }: PhraseListProps) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current: box } = list;
    const { current: text } = area;
    if (!text || !box) return;
    const isFixed = () => getComputedStyle(box).position === 'fixed';
    const place = () => {
      if (isFixed()) return placeFixed(box, text);
      const top = text.offsetTop + text.clientTop + bottomOfLine(text) + GAP;
      Object.assign(box.style, { left: '', width: '', top: `${top}px` });
    };
    place();
    if (!isFixed()) box.scrollIntoView({ block: 'nearest' });
    addEventListener('scroll', place, true);
    addEventListener('resize', place);
    return () => {
      removeEventListener('scroll', place, true);
      removeEventListener('resize', place);
    };
  }, [area, choices.length]);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const option = (index: number, look = 'items-center') => ({
    id: `${id}-${index}`,
    role: 'option',
    'aria-selected': index === chosen,
    // Keeps focus in the text field.
    onPointerDown: (event: { preventDefault(): void }) => event.preventDefault(),
    onClick: () => onChoose(index),
    className: clsx(
      'flex min-h-11 cursor-pointer gap-x-4 rounded-md px-3 py-2 text-sm sm:items-center',
      look,
      index === chosen ? 'bg-sunk outline outline-edge' : 'hover:bg-sunk',
    ),
  });
  const firstOffered = choices.findIndex(({ name }) => name === null);
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label="Phrases"
      // Fixed on wide screens, because the text field is in a scrollable area that would clip the list.
      className="absolute inset-x-1 z-30 max-h-72 overflow-y-auto rounded-lg border border-edge bg-surface p-1.5 shadow-soft sm:inset-x-3 desk:fixed desk:inset-x-auto"
    >
      {choices.map((choice, index) => (
        <div key={choice.key} role="presentation">
          {index === firstOffered && (
            <p aria-hidden="true" className="px-3 pt-2 pb-1 text-sm text-soft">
              From earlier feedback
            </p>
          )}
          <div {...option(index, 'max-sm:flex-col')}>
            {choice.name !== null && (
              <span dir="auto" className="shrink-0 truncate font-semibold text-lapis sm:w-28">
                /{choice.name}
              </span>
            )}
            <span dir="auto" className="line-clamp-2 min-w-0 grow break-words">
              {shownText(choice)}
            </span>
            {index === chosen && (
              <kbd
                aria-hidden="true"
                className="shrink-0 rounded-sm border border-edge bg-surface px-2 py-0.5 font-sans text-sm max-lg:hidden"
              >
                Enter
              </kbd>
            )}
          </div>
        </div>
      ))}
      <div role="presentation" className={clsx(choices.length > 0 && 'mt-1.5 border-t border-line pt-1.5')}>
        <div {...option(choices.length)}>
          <Plus className="size-4 shrink-0 text-lapis" />
          <span className="font-semibold text-lapis">{saveLabel}</span>
        </div>
      </div>
    </div>
  );
}

/** Distance of the list from the line and from the edges of the window, in pixels. */
const GAP = 4;

function placeFixed(box: HTMLElement, text: TextBox) {
  const { left, top, width } = text.getBoundingClientRect();
  const bottom = top + text.clientTop + bottomOfLine(text);
  const height = box.offsetHeight;
  const above = bottom - Number.parseFloat(getComputedStyle(text).lineHeight) - GAP - height;
  const fits = bottom + GAP + height <= innerHeight - GAP;
  const y = fits || above < GAP ? Math.min(bottom + GAP, innerHeight - GAP - height) : above;
  Object.assign(box.style, { left: `${left}px`, width: `${width}px`, top: `${y}px` });
}

/** Returns the distance from the top of a text field to the bottom of the line with the caret, in pixels. */
function bottomOfLine(area: HTMLTextAreaElement | HTMLInputElement): number {
  if (area instanceof HTMLInputElement) return area.clientHeight;
  const copy = document.createElement('div');
  const style = getComputedStyle(area);
  for (const property of COPIED_PROPERTIES)
    copy.style.setProperty(property, style.getPropertyValue(property));
  Object.assign(copy.style, {
    position: 'absolute',
    visibility: 'hidden',
    boxSizing: 'border-box',
    width: `${area.clientWidth}px`,
    whiteSpace: 'pre-wrap',
    overflowWrap: 'break-word',
  });
  const caret = document.createElement('span');
  caret.textContent = '\u200b';
  copy.append(area.value.slice(0, area.selectionEnd), caret);
  document.body.append(copy);
  const bottom = caret.offsetTop + Number.parseFloat(style.lineHeight);
  copy.remove();
  return Math.min(bottom - area.scrollTop, area.clientHeight);
}

/** CSS properties that determine where lines break. */
const COPIED_PROPERTIES = [
  'direction',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'letter-spacing',
  'line-height',
  'padding-block-start',
  'padding-block-end',
  'padding-inline-start',
  'padding-inline-end',
  'tab-size',
  'text-indent',
  'word-spacing',
];

type TextBox = HTMLTextAreaElement | HTMLInputElement;

/** Replaces the selection, by simulated typing if possible, so that the browser's undo can revert it. */
function insertText(area: TextBox, text: string) {
  area.focus();
  if (document.execCommand(text === '' ? 'delete' : 'insertText', false, text)) return;
  area.setRangeText(text, area.selectionStart ?? 0, area.selectionEnd ?? 0, 'end');
  area.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }));
}

/** Positions of slashes that a keyboard shortcut inserted. Esc closes the list and removes such a slash. */
const slashPositions = new WeakMap<TextBox, number>();

const wasOpenedByShortcut = (area: TextBox, start: number) => slashPositions.get(area) === start;

/** Opens the list of phrases by inserting a slash after the word at the caret. */
export function openPhraseList(area: HTMLTextAreaElement) {
  area.focus();
  const { value, selectionEnd } = area;
  const end = selectionEnd + value.slice(selectionEnd).search(/\s|$/);
  const space = end === 0 || /\s/.test(value[end - 1]!) ? '' : ' ';
  area.setSelectionRange(end, end);
  slashPositions.set(area, end + space.length);
  insertText(area, `${space}/`);
}
