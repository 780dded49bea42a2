import type { z } from 'zod';
import { api } from '#app/api.ts';
import type { feedback } from '#features/feedback/contract.ts';
import type { outboxMail, troubledMail } from '#features/messages/mail/contract.ts';
import type { managedLevel } from '#features/people/levels/contract.ts';
import type { melodyDetail } from '#features/melodies/contract.ts';
import { listedMelodyOf } from '#features/melodies/listed-melody.ts';
import { searchedText } from '#features/melodies/search.ts';
import type { pendingRecording } from '#features/recordings/contract.ts';
import type { registration } from '#features/people/registrations/contract.ts';
import type { listedUser } from '#features/people/users/contract.ts';
import type { me } from '#features/accounts/contract.ts';
import { folded, wordsOf } from '#shared/search-words.ts';
import { answer } from './fake-api.ts';

// Builders for users, levels, melodies and recordings as the services return them. A test names only relevant fields.

export type Me = z.input<typeof me>;
/** Returns the user as the browser receives it. */
export const asSent = (user: Me) => JSON.parse(JSON.stringify(user)) as z.output<typeof me>;

export type ListedUser = z.input<typeof listedUser>;
export type Level = z.input<typeof managedLevel>;
export type Melody = z.input<typeof melodyDetail>;
export type Recording = z.input<typeof pendingRecording>;
export type Feedback = z.input<typeof feedback>;
export type Registration = z.input<typeof registration>;

/** Increases with every timestamp, so that each is later than the one before. */
let hours = 0;
const nextTime = () => new Date(Date.UTC(2025, 0, 1, (hours += 1)));
let ids = 0;
const nextId = () => (ids += 1);

const aPerson = (given: Partial<Me>): Me => ({
  id: crypto.randomUUID(),
  email: `${given.username ?? 'nobody'}@example.org`,
  username: 'nobody',
  firstName: 'Tashi',
  lastName: 'Dolma',
  profileImageUrl: null,
  role: 'student',
  isActive: true,
  createdAt: nextTime(),
  updatedAt: nextTime(),
  suggestOwnPassword: false,
  suggestPasskey: false,
  asksForPasskey: false,
  wantsNewsMail: true,
  keepsPracticeLog: false,
  codeShownBy: null,
  ...given,
});

export const aStudent = (given: Partial<Me> = {}) => aPerson({ username: 'tashi.dolma', ...given });
export const aTeacher = (given: Partial<Me> = {}) =>
  aPerson({ username: 'khandro', firstName: null, lastName: null, role: 'admin', ...given });

export const listed = (given: Me, counts: Partial<Omit<ListedUser, keyof Me>> = {}): ListedUser => {
  const {
    suggestOwnPassword: _,
    wantsNewsMail: __,
    keepsPracticeLog: ___,
    codeShownBy: ____,
    ...user
  } = given;
  return {
    ...user,
    ...{
      recordingCount: 0,
      feedbackCount: 0,
      transmissionLevels: [],
      lastSignInAt: null,
      passwordIssuedAt: null,
      hasPasskeys: false,
      waitingMails: 0,
    },
    ...counts,
  };
};

export const aLevel = (name: string, given: Partial<Level> = {}): Level => ({
  id: nextId(),
  neverKept: false,
  name,
  description: null,
  melodyCount: 0,
  ...given,
});

/** The levels that the application creates, in their order. */
export const OPEN = aLevel('Open to All');
export const REFUGE = aLevel('Refuge');
export const LUNG = aLevel('Lung (Reading Transmission)');
export const LEVELS = [OPEN, REFUGE, LUNG, aLevel('Tri (Instruction)'), aLevel('Wang (Empowerment)')];

/** Names of files that the test server serves: a sound of the given number of seconds, and a picture. */
export const soundOf = (seconds: number) => `tone-${seconds}.wav`;
export const PICTURE = 'picture.png';

/** Fetches such a sound as a File that a test can choose in a form. */
export async function soundFile(name: string, seconds: number) {
  const bytes = await (await fetch(`/api/files/${soundOf(seconds)}`)).arrayBuffer();
  return new File([bytes], name, { type: 'audio/wav' });
}

export function aMelody(
  title: string,
  { level = OPEN, ...given }: Partial<Melody> & { level?: Level } = {},
): Melody {
  return {
    id: nextId(),
    title,
    description: null,
    transmissionLevelId: level.id,
    transmissionLevel: { id: level.id, name: level.name },
    vimeoUrl: null,
    melodyText: null,
    audioUrl: null,
    audioCopies: [],
    thumbnailUrl: null,
    duration: null,
    createdAt: nextTime(),
    peaks: null,
    timings: null,
    seeksExactly: true,
    ...given,
  };
}

/** Builds a melody with sound and a picture. */
export const aWholeMelody = (title: string, given: Parameters<typeof aMelody>[1] = {}) =>
  aMelody(title, { audioUrl: soundOf(20), duration: 20, thumbnailUrl: PICTURE, ...given });

export const aRecording = (title: string, given: Partial<Recording> = {}): Recording => ({
  id: nextId(),
  title,
  message: null,
  audioUrl: soundOf(3),
  audioCopies: [],
  status: 'pending',
  createdAt: nextTime(),
  duration: 3,
  peaks: null,
  melodyId: null,
  attempt: null,
  student: { firstName: 'Tashi', lastName: 'Dolma', username: 'tashi.dolma' },
  ...given,
});

export const aFeedback = (recording: Recording, given: Partial<Feedback> = {}): Feedback => ({
  id: nextId(),
  recordingId: recording.id,
  recording,
  writtenFeedback: null,
  marks: [],
  voices: [],
  audioFeedbackUrl: null,
  audioFeedbackCopies: [],
  audioFeedbackDuration: null,
  peaks: null,
  status: 'unread',
  createdAt: nextTime(),
  correctedAt: null,
  ...given,
});

export const aRequest = (fullName: string, given: Partial<Registration> = {}): Registration => ({
  id: nextId(),
  fullName,
  email: `${fullName.toLowerCase().replaceAll(' ', '.')}@example.org`,
  status: 'pending',
  requestedAt: nextTime(),
  processedAt: null,
  ...given,
});

type OutboxMail = z.input<typeof outboxMail>;
type TroubledMail = z.input<typeof troubledMail>;
type Mails = {
  hasServer?: boolean;
  undeliverable?: TroubledMail[];
  delayed?: TroubledMail[];
  outbox?: OutboxMail[];
};

/** Sets the mail that needs the teacher's attention, newest first. */
export function mailIs(given: Mails | (() => Mails)) {
  const now = () => {
    const {
      hasServer = true,
      undeliverable = [],
      delayed = [],
      outbox = [],
    } = typeof given === 'function' ? given() : given;
    return { hasServer, undeliverable, delayed, outbox };
  };
  answer(api.mail.overview, () => {
    const { hasServer, undeliverable, delayed, outbox } = now();
    return {
      hasServer,
      undeliverable: undeliverable.length,
      outbox: outbox.length,
      delayed: delayed.length,
      newestDelayed: delayed[0] ?? null,
    };
  });
  answer(api.mail.undeliverable, () => now().undeliverable);
  answer(api.mail.delayed, () => now().delayed);
  answer(api.mail.outbox, () => now().outbox);
}

export type FirstSteps = z.input<(typeof api.firstSteps.state.answers)[200]>;

/** Returns the first steps of an installation in which nothing has been done yet. */
export const stepsOf = (given: Partial<FirstSteps> = {}): FirstSteps => ({
  ...{ isDismissed: false, who: false, levels: false, melodies: false, students: false, backup: false },
  mail: { hasServer: true, isDone: false, test: null },
  ...given,
});

/** Sets the requests for access, newest first, for every endpoint that lists or counts them. */
export function requestsOf(given: Registration[] | (() => Registration[])) {
  const all = () => (typeof given === 'function' ? given() : given);
  const pending = () => all().filter(({ status }) => status === 'pending');
  answer(api.registrations.list, ({ query }) => (query['status'] === 'pending' ? pending() : all()));
  answer(api.registrations.countPending, () => ({ count: pending().length }));
  answer(api.registrations.recent, () => all().filter(({ status }) => status === 'approved'));
}

/** Serves the requests of the frame and its pages, for a community in which nothing has happened yet. */
export function quietCommunity() {
  const nothing = [
    api.passkeys.list,
    api.passwords.sessions,
    api.signIn.codeSignIns,
    api.melodies.list,
    api.melodies.use,
    api.melodies.timed,
    api.teachingNotes.list,
    api.recordings.mine,
    api.chosenMelodies.favourites,
    api.chosenMelodies.today,
    api.recordings.pendingForInbox,
    api.feedback.mine,
    api.feedback.given,
    api.feedback.drafts,
    api.feedback.held,
    api.feedback.aside,
    api.phrases.list,
    api.phrases.offered,
    api.registrations.list,
    api.notices.list,
    api.users.list,
    api.audit.list,
    api.agreements.mine,
    api.agreements.asked,
  ];
  for (const list of nothing) answer(list, []);
  answer(api.feedback.unreadCount, { count: 0 });
  answer(api.feedback.newestUnread, { newest: null });
  answer(api.agreements.waiting, { count: 0 });
  answer(api.recordings.waiting, { count: 0, title: null });
  answer(api.recordings.countMine, { count: 0 });
  answer(api.recordings.countPending, { count: 0 });
  answer(api.recordingLines.ofRecording, { state: 'none', lines: [] });
  answer(api.registrations.countPending, { count: 0 });
  answer(api.registrations.recent, []);
  mailIs({});
  answer(api.backups.state, { isNightly: false, latest: null, keptForDamage: [] });
  answer(api.firstSteps.state, stepsOf({ isDismissed: true }));
  answer(api.levels.all, LEVELS);
  answer(api.levels.mine, LEVELS);
  answer(api.levels.initialise, { message: 'Initialised' });
}

/** Serves a searchable library of these melodies, newest first. */
export function library(melodies: Melody[]) {
  const matches = (melody: Melody, q: string) =>
    wordsOf(q).every((word) => folded(searchedText(melody)).includes(word));
  answer(api.melodies.list, ({ query }) => {
    const found = melodies
      .filter(
        ({ transmissionLevelId: id }) =>
          !query['transmissionLevelId'] || String(id) === query['transmissionLevelId'],
      )
      .filter((melody) => matches(melody, query['q'] ?? ''));
    return query['view'] === 'card' ? found.map(listedMelodyOf) : found;
  });
  answer(api.melodies.timed, () =>
    melodies.flatMap(({ id, timings, audioUrl }) => (timings && audioUrl ? [id] : [])),
  );
  answer(api.melodies.one, ({ path }) => melodies.find(({ id }) => path.endsWith(`/${id}`))!);
}
