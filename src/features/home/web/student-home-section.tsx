import { clsx } from 'clsx';
import {
  ChevronRight,
  CloudUpload,
  Hourglass,
  type LucideIcon,
  MessageCircleQuestion,
  Play,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { usePageSettings } from '#web/api/page-data.ts';
import { CountBadge } from '#web/ui/badge.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { MelodyPicture } from '#features/melodies/web/melody-picture.tsx';
import { Initials } from '#web/ui/initials.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { TimeAgo } from '#web/ui/time-ago.tsx';
import { TodaysListSection } from './todays-list-section.tsx';
import { getFeedbackUrl } from '#features/feedback/web/feedback-url.ts';
import { setPlayOnOpen } from '#features/practice/web/play-on-open.ts';
import { getPlayerUrl } from '#features/practice/web/player-url.ts';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import type { StudentHomeContent } from './use-student-home-content.ts';

type News = Omit<StudentHomeContent, 'continuing' | 'today'>;

export const hasStudentHomeContent = ({ continuing, today, ...news }: StudentHomeContent) =>
  continuing !== null || today.length > 0 || hasNews(news);

const hasNews = ({ newFeedback, openQuestions, sending, waiting }: News) =>
  newFeedback !== null || openQuestions + sending.count + waiting.count > 0;

type StudentHomeSectionProps = StudentHomeContent & { children: ReactNode };

/**
 * Returns whether there is enough content for a second column on wide screens. New feedback and recordings
 * alone are not enough, because they take only a line or two.
 */
export const shouldShowTwoColumns = ({ continuing, today }: StudentHomeContent) =>
  continuing !== null || today.length > 0;

/**
 * Shows a student the melody to continue, new feedback, questions, recordings that are being sent or waiting
 * for feedback, and today's list. The children come last. On wide screens, the children are beside today's
 * list, or in its place if the list is empty.
 */
export function StudentHomeSection({ children, ...content }: StudentHomeSectionProps) {
  const { continuing, today, ...news } = content;
  return (
    <div
      className={clsx(
        'grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-5 lg:pt-6',
        shouldShowTwoColumns(content) && 'lg:grid-cols-2 lg:grid-rows-[auto_1fr]',
      )}
    >
      {(continuing !== null || hasNews(news)) && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          {continuing && <ContinueCard {...continuing} />}
          {hasNews(news) && <NewsCard {...news} />}
        </div>
      )}
      {today.length > 0 && (
        <div className="lg:row-span-2">
          <TodaysListSection list={today} last={continuing?.practised ?? null} />
        </div>
      )}
      <div className="max-lg:mt-9 lg:mt-4">{children}</div>
    </div>
  );
}

function ContinueCard({
  practised: { melodyId, line, rate },
  melody,
  title,
}: NonNullable<StudentHomeContent['continuing']>) {
  const where = [line === null ? null : `Line ${line + 1}`, rate === 1 ? null : `${rate}×`];
  const shown = where.filter((part) => part !== null).join(' · ');
  return (
    <Card as="section" aria-labelledby="continue" className="p-4! sm:p-5!">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="relative aspect-video w-30 max-w-full shrink-0 overflow-hidden rounded-md bg-sunk">
          {melody && <MelodyPicture melody={melody} />}
        </div>
        <div className="min-w-0 grow basis-24">
          <p className="text-sm font-semibold text-saffron-ink">Continue</p>
          <h2
            id="continue"
            {...getLangProps(title ?? '')}
            className="line-clamp-2 text-xl wrap-anywhere max-sm:text-lg max-sm:leading-snug [&:lang(bo)]:line-clamp-none [&:lang(bo)]:leading-[1.9]"
          >
            {title ?? <Skeleton className="h-[1lh] w-40" />}
          </h2>
          {shown !== '' && <p className="text-sm text-soft">{shown}</p>}
        </div>
      </div>
      <ButtonLink
        href={getPlayerUrl(melodyId, { line, rate })}
        onClick={() => setPlayOnOpen(melodyId)}
        variant="primary"
        isWide
        icon={<Play className="fill-current" />}
        className="mt-4"
      >
        {line === null ? 'Continue' : `Continue from line ${line + 1}`}
      </ButtonLink>
    </Card>
  );
}

function NewsCard({ newFeedback, openQuestions, sending, waiting }: News) {
  const { teacherTitle } = usePageSettings();
  return (
    <Card as="section" isBare aria-label="Your recordings">
      <ul className="divide-y divide-line">
        {newFeedback && (
          <NewsRow
            href={getFeedbackUrl(newFeedback.recordingId)}
            sign={<Initials name={teacherTitle} className="size-11" />}
          >
            <span className="min-w-0 grow basis-28">
              <span className="block font-semibold">{teacherTitle} replied</span>
              <span
                {...getLangProps(newFeedback.title)}
                className="line-clamp-2 text-sm wrap-anywhere text-soft"
              >
                {newFeedback.title}
              </span>
              <span className="block text-sm text-soft">
                <TimeAgo time={newFeedback.createdAt} />
                {newFeedback.marks > 0 && ` · ${formatCommentCount(newFeedback.marks)}`}
              </span>
            </span>
            <CountBadge count={newFeedback.count} noun="unread" />
          </NewsRow>
        )}
        {openQuestions > 0 && (
          <NewsRow href="/feedback" sign={<NewsIcon icon={MessageCircleQuestion} />}>
            <span className="min-w-0 grow basis-28">
              <span className="block font-semibold">{teacherTitle} has a question</span>
              <span className="block text-sm text-soft">May others hear a passage of your recording?</span>
            </span>
            {openQuestions > 1 && <CountBadge count={openQuestions} noun="questions" />}
          </NewsRow>
        )}
        {sending.count > 0 && (
          <NewsRow href="/submit" sign={<NewsIcon icon={CloudUpload} />}>
            {sending.count === 1 && sending.title ? (
              <NewsLine title={sending.title}>Sending: </NewsLine>
            ) : (
              <NewsLine>Sending {sending.count} recordings</NewsLine>
            )}
          </NewsRow>
        )}
        {waiting.count > 0 && (
          <NewsRow href="/past-recordings" sign={<NewsIcon icon={Hourglass} />}>
            {waiting.count === 1 ? (
              <NewsLine title={waiting.title}>Waiting for feedback: </NewsLine>
            ) : (
              <NewsLine>{waiting.count.toLocaleString('en')} recordings waiting for feedback</NewsLine>
            )}
          </NewsRow>
        )}
      </ul>
    </Card>
  );
}

type NewsRowProps = { href: string; sign: ReactNode; children: ReactNode };

const NewsRow = ({ href, sign, children }: NewsRowProps) => (
  <li>
    <Link
      href={href}
      className="flex min-h-13 flex-wrap items-center gap-x-3.5 gap-y-1 px-4 py-3 hover:bg-sunk focus-visible:-outline-offset-2 sm:px-5"
    >
      {sign}
      {children}
      <ChevronRight className="ms-auto size-5 shrink-0" />
    </Link>
  </li>
);

const NewsIcon = ({ icon: Icon }: { icon: LucideIcon }) => (
  <span className="grid w-11 shrink-0 place-items-center text-soft">
    <Icon className="size-6" strokeWidth={1.75} />
  </span>
);

const NewsLine = ({ title, children }: { title?: string | null; children: ReactNode }) => (
  <span className="min-w-0 grow basis-28 text-sm wrap-anywhere text-soft">
    {children}
    {title && <span {...getLangProps(title)}>{title}</span>}
  </span>
);

const NUMBER_WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six'];
const formatCommentCount = (marks: number) =>
  `${NUMBER_WORDS[marks] ?? marks} ${marks === 1 ? 'comment' : 'comments'}`;
