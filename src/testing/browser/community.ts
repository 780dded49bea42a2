import type { z } from 'zod';
import { api } from '#app/api.ts';
import type { feedback } from '#features/feedback/contract.ts';
import type { outboxMail, failedMail } from '#features/messages/mail/contract.ts';
import type { managedLevel } from '#features/people/levels/contract.ts';
import type { melodyDetail } from '#features/melodies/contract.ts';
import { toListedMelody } from '#features/melodies/listed-melody.ts';
import { getSearchableText } from '#features/melodies/search.ts';
import type { pendingRecording } from '#features/recordings/contract.ts';
import type { registration } from '#features/people/registrations/contract.ts';
import type { listedUser } from '#features/people/users/contract.ts';
import type { me } from '#features/accounts/contract.ts';
import { foldText, getSearchWords } from '#shared/search-words.ts';
import { mockEndpoint } from './fake-api.ts';

// Builders for users, levels, melodies and recordings as the services return them. A test passes only the
// fields that matter to it.

export type MeFixture = z.input<typeof me>;
/** Returns the user as the browser receives it. */
export const toReceivedUser = (user: MeFixture) => JSON.parse(JSON.stringify(user)) as z.output<typeof me>;

export type ListedUserFixture = z.input<typeof listedUser>;
export type LevelFixture = z.input<typeof managedLevel>;
export type MelodyFixture = z.input<typeof melodyDetail>;
export type RecordingFixture = z.input<typeof pendingRecording>;
export type FeedbackFixture = z.input<typeof feedback>;
export type RegistrationFixture = z.input<typeof registration>;

/** Increases with every timestamp, so that each timestamp is later than the previous one. */
let hours = 0;
const nextTime = () => new Date(Date.UTC(2025, 0, 1, (hours += 1)));
let ids = 0;
const nextId = () => (ids += 1);

const buildPerson = (given: Partial<MeFixture>): MeFixture => ({
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

export const buildStudent = (given: Partial<MeFixture> = {}) =>
  buildPerson({ username: 'tashi.dolma', ...given });
export const buildTeacher = (given: Partial<MeFixture> = {}) =>
  buildPerson({ username: 'khandro', firstName: null, lastName: null, role: 'admin', ...given });

export const toListedUser = (
  given: MeFixture,
  counts: Partial<Omit<ListedUserFixture, keyof MeFixture>> = {},
): ListedUserFixture => {
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

export const buildLevel = (name: string, given: Partial<LevelFixture> = {}): LevelFixture => ({
  id: nextId(),
  neverKept: false,
  name,
  description: null,
  melodyCount: 0,
  ...given,
});

/** The levels that the application creates, in their order. */
export const OPEN_LEVEL = buildLevel('Open to All');
export const REFUGE_LEVEL = buildLevel('Refuge');
export const LUNG_LEVEL = buildLevel('Lung (Reading Transmission)');
export const TEST_LEVELS = [
  OPEN_LEVEL,
  REFUGE_LEVEL,
  LUNG_LEVEL,
  buildLevel('Tri (Instruction)'),
  buildLevel('Wang (Empowerment)'),
];

/** Names of files that the test server serves: audio of the given number of seconds, and a picture. */
export const getToneFileName = (seconds: number) => `tone-${seconds}.wav`;
export const PICTURE_FILE_NAME = 'picture.png';

/** Fetches audio of this duration as a File that a test can choose in a form. */
export async function fetchToneFile(name: string, seconds: number) {
  const bytes = await (await fetch(`/api/files/${getToneFileName(seconds)}`)).arrayBuffer();
  return new File([bytes], name, { type: 'audio/wav' });
}

export function buildMelody(
  title: string,
  { level = OPEN_LEVEL, ...given }: Partial<MelodyFixture> & { level?: LevelFixture } = {},
): MelodyFixture {
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

/** Builds a melody with audio and a picture. */
export const buildCompleteMelody = (title: string, given: Parameters<typeof buildMelody>[1] = {}) =>
  buildMelody(title, {
    audioUrl: getToneFileName(20),
    duration: 20,
    thumbnailUrl: PICTURE_FILE_NAME,
    ...given,
  });

export const buildRecording = (title: string, given: Partial<RecordingFixture> = {}): RecordingFixture => ({
  id: nextId(),
  title,
  message: null,
  audioUrl: getToneFileName(3),
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

export const buildFeedback = (
  recording: RecordingFixture,
  given: Partial<FeedbackFixture> = {},
): FeedbackFixture => ({
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

export const buildRegistrationRequest = (
  fullName: string,
  given: Partial<RegistrationFixture> = {},
): RegistrationFixture => ({
  id: nextId(),
  fullName,
  email: `${fullName.toLowerCase().replaceAll(' ', '.')}@example.org`,
  status: 'pending',
  requestedAt: nextTime(),
  processedAt: null,
  ...given,
});

type OutboxMail = z.input<typeof outboxMail>;
type TroubledMail = z.input<typeof failedMail>;
type MailAttention = {
  hasServer?: boolean;
  undeliverable?: TroubledMail[];
  delayed?: TroubledMail[];
  outbox?: OutboxMail[];
};

/** Sets the emails that need the teacher's attention. Each list starts with the newest. */
export function mockMailOverview(given: MailAttention | (() => MailAttention)) {
  const now = () => {
    const {
      hasServer = true,
      undeliverable = [],
      delayed = [],
      outbox = [],
    } = typeof given === 'function' ? given() : given;
    return { hasServer, undeliverable, delayed, outbox };
  };
  mockEndpoint(api.mail.overview, () => {
    const { hasServer, undeliverable, delayed, outbox } = now();
    return {
      hasServer,
      undeliverable: undeliverable.length,
      outbox: outbox.length,
      delayed: delayed.length,
      newestDelayed: delayed[0] ?? null,
    };
  });
  mockEndpoint(api.mail.undeliverable, () => now().undeliverable);
  mockEndpoint(api.mail.delayed, () => now().delayed);
  mockEndpoint(api.mail.outbox, () => now().outbox);
}

export type FirstStepsFixture = z.input<(typeof api.firstSteps.state.answers)[200]>;

/** Builds the first steps of an installation, none of which has been taken yet. */
export const buildFirstSteps = (given: Partial<FirstStepsFixture> = {}): FirstStepsFixture => ({
  ...{ isDismissed: false, who: false, levels: false, melodies: false, students: false, backup: false },
  mail: { hasServer: true, isDone: false, test: null },
  ...given,
});

/** Sets the requests for access, newest first, for every endpoint that lists or counts them. */
export function mockRegistrationRequests(given: RegistrationFixture[] | (() => RegistrationFixture[])) {
  const all = () => (typeof given === 'function' ? given() : given);
  const pending = () => all().filter(({ status }) => status === 'pending');
  mockEndpoint(api.registrations.list, ({ query }) => (query['status'] === 'pending' ? pending() : all()));
  mockEndpoint(api.registrations.countPending, () => ({ count: pending().length }));
  mockEndpoint(api.registrations.recent, () => all().filter(({ status }) => status === 'approved'));
}

/**
 * Mocks every endpoint that the layout and its pages call, for a community in which nothing has happened yet.
 */
export function mockEmptyCommunity() {
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
  for (const list of nothing) mockEndpoint(list, []);
  mockEndpoint(api.feedback.unreadCount, { count: 0 });
  mockEndpoint(api.feedback.newestUnread, { newest: null });
  mockEndpoint(api.agreements.waiting, { count: 0 });
  mockEndpoint(api.recordings.waiting, { count: 0, title: null });
  mockEndpoint(api.recordings.countMine, { count: 0 });
  mockEndpoint(api.recordings.countPending, { count: 0 });
  mockEndpoint(api.recordingLines.ofRecording, { state: 'none', lines: [] });
  mockEndpoint(api.registrations.countPending, { count: 0 });
  mockEndpoint(api.registrations.recent, []);
  mockMailOverview({});
  mockEndpoint(api.backups.state, {
    isNightly: false,
    latest: null,
    restoreProvenAt: null,
    restoreFailedAt: null,
    isOverdue: false,
  });
  mockEndpoint(api.health.status, {
    version: '0.2.0',
    database: { isWritable: true },
    media: { state: 'ok', damagedFiles: 0 },
    disk: { freeBytes: 123e9, totalBytes: 250e9, isLow: false },
  });
  mockEndpoint(api.firstSteps.state, buildFirstSteps({ isDismissed: true }));
  mockEndpoint(api.levels.all, TEST_LEVELS);
  mockEndpoint(api.levels.mine, TEST_LEVELS);
  mockEndpoint(api.levels.initialise, { message: 'Initialised' });
}

/**
 * Serves a searchable library.
 * @param melodies newest first
 */
export function mockLibrary(melodies: MelodyFixture[]) {
  const matches = (melody: MelodyFixture, q: string) =>
    getSearchWords(q).every((word) => foldText(getSearchableText(melody)).includes(word));
  mockEndpoint(api.melodies.list, ({ query }) => {
    const found = melodies
      .filter(
        ({ transmissionLevelId: id }) =>
          !query['transmissionLevelId'] || String(id) === query['transmissionLevelId'],
      )
      .filter((melody) => matches(melody, query['q'] ?? ''));
    if (query['view'] === 'id') return found.map(({ id }) => ({ id }));
    return query['view'] === 'card' ? found.map(toListedMelody) : found;
  });
  mockEndpoint(api.melodies.timed, () =>
    melodies.flatMap(({ id, timings, audioUrl }) => (timings && audioUrl ? [id] : [])),
  );
  mockEndpoint(api.melodies.one, ({ path }) => melodies.find(({ id }) => path.endsWith(`/${id}`))!);
}
