import { Disclosure } from '#web/ui/disclosure.tsx';
import { LayersOf, ReadOnlyText } from '#features/lyrics/web/read-only-text.tsx';

/** The words as students will see them, with the layers that there are. */
export function TextPreview({ text }: { text: string }) {
  if (text.trim() === '') return null;
  return (
    <Disclosure label="How it will look">
      {() => (
        <section
          aria-label="How it will look"
          tabIndex={0}
          className="grid max-h-[28rem] grid-cols-[minmax(0,1fr)] gap-4 overflow-y-auto rounded-md border border-line bg-surface p-4"
        >
          <LayersOf text={text} />
          <ReadOnlyText text={text} />
        </section>
      )}
    </Disclosure>
  );
}
