import { type ReactNode, useRef } from 'react';
import { useArrival } from '#web/navigation/focus-on-navigation.ts';
import { LazyBoundary } from '#web/navigation/lazy-boundary.tsx';
import { lazyPart } from '#web/navigation/lazy-page.ts';
import { useSettings } from '#web/api/page-data.ts';
import { PageLoading } from '#web/layout/loading.tsx';
import { usePageTitle } from '#web/navigation/page-title.ts';
import { useUser } from '#web/api/session.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Lotus } from '#web/ui/lotus.tsx';
import { Journey } from './journey.tsx';
import { hasAnything, ReturningSection } from './returning-section.tsx';
import { useReturning } from './use-returning.ts';

const FirstSteps = lazyPart(() => import('#features/operations/first-steps/web/first-steps.tsx'));

export default function HomePage() {
  return useUser().role === 'admin' ? (
    <Welcome first={<LazyBoundary part={FirstSteps} />} />
  ) : (
    <StudentHome />
  );
}

function StudentHome() {
  const returning = useReturning();
  if (!returning) return <PageLoading>Loading sacred space...</PageLoading>;
  if (!hasAnything(returning)) return <Welcome />;
  return <Welcome first={<ReturningSection {...returning} />} isContinued={returning.continuing !== null} />;
}

type WelcomeProps = {
  first?: ReactNode;
  /** True if there is a melody to continue; its button is then the primary one. */
  isContinued?: boolean;
};

const Welcome = ({ first, isContinued = false }: WelcomeProps) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-14 lg:gap-18">
    {first}
    <Hero isContinued={isContinued} />
    <Journey />
    <ClosingQuote />
  </div>
);

function Hero({ isContinued }: { isContinued: boolean }) {
  const { appName, tagline } = useSettings();
  const isStudent = useUser().role !== 'admin';
  const heading = useRef<HTMLHeadingElement>(null);
  usePageTitle(appName, '');
  useArrival(heading);
  return (
    <section className="relative pt-4 lg:pt-8">
      <Lotus className="absolute end-4 top-0 w-80 text-line max-lg:hidden" strokeWidth={0.8} />
      <h1 ref={heading} tabIndex={-1} className="relative">
        <span className="block text-xl text-soft">Welcome to</span>
        <span className="mt-1 block text-4xl">{appName}</span>
      </h1>
      <p className="measure relative mt-4 font-serif text-xl text-soft italic">{tagline}</p>
      <div className="mt-8 flex flex-col gap-3 sm:flex-row">
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
