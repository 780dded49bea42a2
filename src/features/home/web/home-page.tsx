import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useRef } from 'react';
import { useFocusOnNavigation } from '#web/navigation/focus-on-navigation.ts';
import { LazyBoundary } from '#web/navigation/lazy-boundary.tsx';
import { createLazyComponent } from '#web/navigation/lazy-component.ts';
import { usePageSettings } from '#web/api/page-data.ts';
import { createApiQuery, queryClient } from '#web/api/query-client.ts';
import { PageLoading } from '#web/layout/loading.tsx';
import { usePageTitle } from '#web/navigation/page-title.ts';
import { sessionQuery, useUser } from '#web/api/session.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Lotus } from '#web/ui/lotus.tsx';
import { MainPageLinks } from './main-page-links.tsx';
import { hasStudentHomeContent, shouldShowTwoColumns, StudentHomeSection } from './student-home-section.tsx';
import { useStudentHomeContent } from './use-student-home-content.ts';

const PasskeySuggestion = createLazyComponent(
  () => import('#features/accounts/passkeys/web/passkey-suggestion.tsx'),
);
const FirstSteps = createLazyComponent(() => import('#features/operations/first-steps/web/first-steps.tsx'));

export default function HomePage() {
  if (useUser().role === 'admin') return <TeacherHome />;
  return (
    <>
      <LazyBoundary part={PasskeySuggestion} className="mb-6" />
      <StudentHome />
    </>
  );
}

/**
 * Preloads the passkey suggestion for users who see it. On the server, always preloads it, because the server
 * renders for everyone.
 */
export async function preload(): Promise<void> {
  const user = queryClient.getQueryData(sessionQuery.queryKey);
  if (import.meta.env.SSR || user?.suggestPasskey) await PasskeySuggestion.preload();
}

function TeacherHome() {
  const waiting = useQuery(createApiQuery('GET /api/admin/pending-recordings/count')).data?.count ?? 0;
  return (
    <div className={sectionClasses}>
      {waiting > 0 && <WaitingSection count={waiting} />}
      <LazyBoundary part={PasskeySuggestion} className="-mb-6" />
      <LazyBoundary part={FirstSteps} />
      <Hero isContinued={waiting > 0} />
      <MainPageLinks />
      <ClosingQuote />
    </div>
  );
}

function StudentHome() {
  const content = useStudentHomeContent();
  if (!content) return <PageLoading>Loading sacred space...</PageLoading>;
  return (
    <div className={sectionClasses}>
      {hasStudentHomeContent(content) ? (
        <StudentHomeSection {...content}>
          <Hero isContinued={content.continuing !== null} isBeside={shouldShowTwoColumns(content)} />
        </StudentHomeSection>
      ) : (
        <Hero />
      )}
      <MainPageLinks />
      <ClosingQuote />
    </div>
  );
}

const sectionClasses = 'grid grid-cols-[minmax(0,1fr)] gap-14 lg:gap-18';

/** Shows a teacher how many recordings are waiting for a reply. */
const WaitingSection = ({ count }: { count: number }) => (
  <Card as="section" className="-mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-4 lg:mt-2">
    <h2 className="text-2xl">
      {count.toLocaleString('en')} {count === 1 ? 'recording' : 'recordings'} waiting
    </h2>
    <ButtonLink href="/admin" variant="primary" className="max-sm:w-full">
      Listen and reply
    </ButtonLink>
  </Card>
);

type HeroProps = {
  /** Whether the page has a more important button, such as the one to continue a melody. */
  isContinued?: boolean;
  /** Whether the hero is beside other content on wide screens. */
  isBeside?: boolean;
};

function Hero({ isContinued = false, isBeside = false }: HeroProps) {
  const { appName, tagline } = usePageSettings();
  const isStudent = useUser().role !== 'admin';
  const heading = useRef<HTMLHeadingElement>(null);
  usePageTitle(appName, '');
  useFocusOnNavigation(heading);
  return (
    <section className={clsx('relative', isBeside ? 'max-lg:pt-4' : 'pt-4 lg:pt-8')}>
      {!isBeside && <Lotus className="absolute end-4 top-0 w-80 text-line max-lg:hidden" strokeWidth={0.8} />}
      <h1 ref={heading} tabIndex={-1} className="relative">
        <span className="block text-xl text-soft">Welcome to</span>
        <span className="mt-1 block text-4xl">{appName}</span>
      </h1>
      <p className="measure relative mt-4 font-serif text-xl text-soft italic">{tagline}</p>
      <div className="mt-8 flex flex-col gap-3 sm:flex-row sm:flex-wrap">
        <ButtonLink
          href="/melodies"
          variant={isContinued ? 'secondary' : 'primary'}
          {...(isContinued && { className: 'border-action! text-action!' })}
        >
          Explore Melodies
        </ButtonLink>
        {isStudent && <ButtonLink href="/submit">Submit Recording</ButtonLink>}
      </div>
    </section>
  );
}

function ClosingQuote() {
  return (
    <figure className="border-t border-line pt-12 pb-4 text-center">
      <Lotus className="mx-auto mb-6 w-20 text-saffron" strokeWidth={1.5} />
      <blockquote className="mx-auto max-w-xl font-serif text-xl leading-relaxed text-balance italic">
        “May all beings have happiness and the causes of happiness.”
      </blockquote>
      <figcaption className="mt-3 text-sm text-soft">From the Four Immeasurables</figcaption>
    </figure>
  );
}
