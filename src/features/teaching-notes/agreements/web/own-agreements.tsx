import { useEffect, useRef } from 'react';
import { classifyError } from '#web/api/call.ts';
import { getLoadedRows, usePagedList } from '#web/navigation/paged-list.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { LoadMoreButton } from '#web/ui/load-more-button.tsx';
import type { OwnAgreement } from '../contract.ts';
import { AgreementQuestion } from './agreement-question.tsx';
import { SharedPassageCard } from './shared-passage.tsx';

/** Lists the student's open questions and shared passages; hidden if there are none. */
export default function OwnAgreements() {
  const pages = usePagedList('GET /api/agreements');
  const list = useRef<HTMLDivElement>(null);
  const all = getLoadedRows(pages.data);
  useFocusHeading(list, all);
  const asked = all.filter(({ state }) => state === 'asked');
  const shared = all.filter(({ state }) => state === 'agreed');
  if (!pages.data) {
    // Hides the error if the device is offline, because the page then shows stored feedback.
    if (!pages.isError || classifyError(pages.error) === 'no-answer') return null;
    return <LoadFailure sentence="Your shared passages could not be loaded." of={pages} />;
  }
  if (all.length === 0) return null;
  return (
    <div ref={list} className="mb-8 grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6">
      {asked.length > 0 && (
        <Section title={asked.length === 1 ? 'A question for you' : 'Questions for you'}>
          {asked.map((agreement) => (
            <AgreementQuestion key={agreement.id} agreement={agreement} />
          ))}
        </Section>
      )}
      {shared.length > 0 && (
        <Section title="Shared passages">
          {shared.map((agreement) => (
            <SharedPassageCard key={agreement.id} agreement={agreement} />
          ))}
        </Section>
      )}
      <LoadMoreButton {...{ pages, list }} failure="The rest could not be loaded." />
    </div>
  );
}

const Section = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <section aria-label={title} className="grid grid-cols-[minmax(0,1fr)] gap-4">
    <h2 tabIndex={-1} className="text-xl">
      {title}
    </h2>
    {children}
  </section>
);

/**
 * Moves focus to a heading when the card of an answered question, and with it the focused button, disappears.
 */
function useFocusHeading(list: React.RefObject<HTMLElement | null>, all: readonly OwnAgreement[]) {
  const key = all.map(({ id, state }) => `${id} ${state}`).join();
  const before = useRef(key);
  useEffect(() => {
    const hasChanged = before.current !== '' && before.current !== key;
    before.current = key;
    if (!hasChanged) return;
    // Waits a frame, because a closing dialog returns focus a moment later, possibly to a removed button.
    const frame = requestAnimationFrame(() => {
      const holder = document.activeElement;
      if (holder !== document.body && holder?.id !== 'content') return;
      const place = list.current?.querySelector('h2') ?? document.querySelector<HTMLElement>('h1');
      place?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [list, key]);
}
