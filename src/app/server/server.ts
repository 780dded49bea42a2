import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { api } from '../api.ts';
import { uploadSlots } from '../upload-slots.ts';
import type { Database } from '#server/db/database.ts';
import { createProfileRoutes } from '#features/people/profile/server/routes.ts';
import { createProfileService } from '#features/people/profile/server/service.ts';
import { notePassages } from '#features/teaching-notes/agreements/server/note-passages.ts';
import { createAgreementsRoutes } from '#features/teaching-notes/agreements/server/routes.ts';
import { createAgreementsService } from '#features/teaching-notes/agreements/server/service.ts';
import { createAuditRoutes } from '#features/audit/server/routes.ts';
import { createNightlyBackups } from '#features/operations/backups/server/service.ts';
import { createBackupsRoutes } from '#features/operations/backups/server/routes.ts';
import { createAuditService } from '#features/audit/server/service.ts';
import { createChosenMelodiesRoutes } from '#features/melodies/favourites/server/routes.ts';
import { createChosenMelodiesService } from '#features/melodies/favourites/server/service.ts';
import { createExportsRoutes } from '#features/operations/exports/server/routes.ts';
import { createExportsService } from '#features/operations/exports/server/service.ts';
import { createHeldFeedbackWorker } from '#features/feedback/server/held/worker.ts';
import { createFeedbackRoutes } from '#features/feedback/server/routes.ts';
import { createFeedbackService, lockFeedbackFilesOfRecording } from '#features/feedback/server/service.ts';
import { createFeedbackSoundsService } from '#features/feedback/server/sounds.ts';
import { createFileDelegate } from '#features/operations/files/server/delegate-file.ts';
import { createFilesRoutes } from '#features/operations/files/server/routes.ts';
import { createFilesService } from '#features/operations/files/server/service.ts';
import { createHealthCheck } from '#features/operations/health/server/health-check.ts';
import { createFirstStepsRoutes } from '#features/operations/first-steps/server/routes.ts';
import { createFirstStepsService } from '#features/operations/first-steps/server/service.ts';
import { createHealthRoutes, type HealthChecks } from '#features/operations/health/server/routes.ts';
import { createInvitationsRoutes } from '#features/people/invitations/server/routes.ts';
import { createInvitationsService } from '#features/people/invitations/server/service.ts';
import { createLevelsRoutes } from '#features/people/levels/server/routes.ts';
import { createLevelsService } from '#features/people/levels/server/service.ts';
import { createMailRoutes } from '#features/messages/mail/server/routes.ts';
import {
  createMailService,
  type MailResender,
  type MailResenders,
} from '#features/messages/mail/server/service.ts';
import { createMarksByLineRoutes } from '#features/feedback/common-difficulties/server/routes.ts';
import { createMarksByLineService } from '#features/feedback/common-difficulties/server/service.ts';
import { createMelodiesRoutes } from '#features/melodies/server/routes.ts';
import { createMelodiesService } from '#features/melodies/server/service.ts';
import { createPhrasesRoutes } from '#features/feedback/phrases/server/routes.ts';
import { createPhrasesService } from '#features/feedback/phrases/server/service.ts';
import { createPracticeLogRoutes } from '#features/practice/log/server/routes.ts';
import { createPracticeLogService } from '#features/practice/log/server/service.ts';
import { createMelodyImportsRoutes } from '#features/melodies/imports/server/routes.ts';
import { createMelodyImportsService } from '#features/melodies/imports/server/service.ts';
import { createPackRoutes } from '#features/offline/saved-melodies/server/routes.ts';
import { createPackService } from '#features/offline/saved-melodies/server/service.ts';
import { createPasskeysRoutes } from '#features/accounts/passkeys/server/routes.ts';
import type { PasskeyEmailKind } from '#features/accounts/passkeys/server/emails.ts';
import { createPasskeysService } from '#features/accounts/passkeys/server/service.ts';
import { createPasswordsRoutes } from '#features/accounts/passwords/server/routes.ts';
import { createPasswordsService } from '#features/accounts/passwords/server/service.ts';
import { createQuotasService } from '#features/uploads/quotas/server/service.ts';
import { createRecordingsRoutes } from '#features/recordings/server/routes.ts';
import { createRecordingsService } from '#features/recordings/server/service.ts';
import { createNoticesRoutes } from '#features/messages/notices/server/routes.ts';
import { createNotificationsRoutes } from '#features/messages/notifications/server/routes.ts';
import { createNotificationsService } from '#features/messages/notifications/server/service.ts';
import { createEventStreams } from '#features/messages/notifications/server/streams.ts';
import { createRegistrationsRoutes } from '#features/people/registrations/server/routes.ts';
import { createRegistrationsService } from '#features/people/registrations/server/service.ts';
import { createSignInRoutes } from '#features/accounts/sign-in/server/routes.ts';
import { createSignInService } from '#features/accounts/sign-in/server/service.ts';
import { melodyNotes } from '#features/teaching-notes/server/melody-notes.ts';
import { createTeachingNotesRoutes } from '#features/teaching-notes/server/routes.ts';
import { createTeachingNotesService } from '#features/teaching-notes/server/service.ts';
import { createUploadsRoutes } from '#features/uploads/server/routes.ts';
import { createUploadsService } from '#features/uploads/server/service.ts';
import { createUsersRoutes } from '#features/people/users/server/routes.ts';
import { createUsersService } from '#features/people/users/server/service.ts';
import { createConflictError } from '#shared/errors.ts';
import { createAttemptCounter } from '#server/limits/attempts.ts';
import { createBackgroundTaskRunner } from '#server/jobs/background-tasks.ts';
import type { ChangeFeed } from '#server/db/changes.ts';
import type { Clock } from '#server/clock.ts';
import type { DataFolder } from '#server/data-folder/data-folder.ts';
import { inspectAudio } from '#server/audio/inspect.ts';
import type { DecodingTools } from '#server/decoding/sandbox.ts';
import { createApp } from '#server/http/app.ts';
import { createCookies } from '#server/http/cookies.ts';
import { createGuardedBodySender } from '#server/http/guarded-body.ts';
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from '#server/http/limits.ts';
import { createResponseCache } from '#server/http/response-cache.ts';
import { createListLimiter, createRequestLimiter } from '#server/http/request-limiters.ts';
import { type InProcessEndpoints, mountEndpoints } from '#server/http/mount.ts';
import { generateOpenApi } from '#server/http/open-api.ts';
import { createOriginCheck } from '#server/http/origin.ts';
import type { Log } from '#server/log.ts';
import { testDatabaseWrite } from '#server/data-folder/installation.ts';
import { openOutbox, createOutboxTransport } from '#server/mail/outbox.ts';
import { createSmtpTransport } from '#server/mail/smtp.ts';
import { createMailWorker } from '#server/mail/worker.ts';
import { createRecordingLinesRoutes } from '#features/line-matching/server/routes.ts';
import { createRecordingLinesService } from '#features/line-matching/server/service.ts';
import { createRecordingLinesWorker } from '#features/line-matching/server/worker.ts';
import { createSoundCopyWorker } from '#server/media/sound-copy-worker.ts';
import { createFileChecks } from '#server/media/file-checks.ts';
import { createDailyFileCheck } from '#server/media/daily-file-check.ts';
import { createMediaRepository } from '#server/media/media-repository.ts';
import type { DiskSpaceMonitor } from '#server/media/disk-space.ts';
import type { PartialFiles } from '#server/media/partial-files.ts';
import type { Staging } from '#server/media/staging.ts';
import type { MediaStore } from '#server/media/store.ts';
import { createFileVerifier } from '#server/media/verification.ts';
import { mountMetrics } from '#server/metrics/mount.ts';
import { createNoticesService } from '#server/notices.ts';
import { programVersion } from '#server/config/project.ts';
import {
  DEFAULT_LIVE_AUTH_GUARD_LIMITS,
  createLiveAuthGuard,
  type LiveAuthGuardLimits,
} from '#server/http/live-auth-guard.ts';
import { createSessionManager } from '#server/auth/sessions.ts';
import type { Settings } from '#server/config/settings.ts';

export type ServerDependencies = {
  settings: Settings;
  database: Database;
  dataFolder: Pick<DataFolder, 'check'>;
  store: MediaStore;
  disk: DiskSpaceMonitor;
  staging: Staging;
  partials: PartialFiles;
  decoders: DecodingTools;
  /** Replaces `inspectAudio` in tests, to avoid a separate process for each file. */
  inspect?: typeof inspectAudio;
  log: Log;
  clock: Clock;
};

export type Services = ReturnType<typeof createServices>;

/** Limits for HTTP in general, and for responses whose access is rechecked. */
export type ServerLimits = HttpLimits & LiveAuthGuardLimits;
export const DEFAULT_SERVER_LIMITS: ServerLimits = {
  ...DEFAULT_HTTP_LIMITS,
  ...DEFAULT_LIVE_AUTH_GUARD_LIMITS,
};

/**
 * Cache times for the result of the check that the database can commit. A failure expires sooner, so that a
 * recovery is reported quickly.
 */
const COMMIT_CHECK_CACHE = { okMs: 5_000, failedMs: 1_000 };

/**
 * Maximum random delay before a task that runs after its response. The delay hides whether an account exists,
 * and is so short that nobody who waits for an email notices it.
 */
const MAX_TASK_DELAY_MS = 2000;

/** Creates every service of the program, with its dependencies. */
export function createServices(parts: ServerDependencies) {
  const { settings, database, store, disk, staging, partials, decoders, inspect = inspectAudio } = parts;
  const { log, clock } = parts;
  const { db, search } = database;
  const notices = createNoticesService(db);
  const media = createMediaRepository({ db, store, staging, decoders, inspect, log, clock });
  const fileChecks = createFileChecks({ db, store, notices, log, clock });
  const copies = createSoundCopyWorker({
    db,
    store,
    media,
    staging,
    disk,
    decoders,
    clock,
    log,
    checks: fileChecks,
  });
  const { connection } = database;
  const verify = createFileVerifier({ db, connection, store, checks: fileChecks, notices, clock });
  const fileRounds = createDailyFileCheck({ verify, staging, log });
  const sessions = createSessionManager(db, { maxDays: settings.sessionMaxDays });
  const attempts = createAttemptCounter(db);
  const afterwards = createBackgroundTaskRunner(MAX_TASK_DELAY_MS);
  const audit = createAuditService({ db });
  const levels = createLevelsService({ db, audit });
  const quotas = createQuotasService({ settings, clock });
  const uploads = createUploadsService({
    slots: uploadSlots,
    db,
    staging,
    partials,
    media,
    disk,
    quotas,
    clock,
  });
  const recordingLines = createRecordingLinesService({ db });
  const linesWorker = createRecordingLinesWorker({ db, store, staging, disk, decoders, clock, log });
  const melodies = createMelodiesService({
    ...{ db, search, media, levels, uploads, recordingLines, log },
    notes: {
      ...melodyNotes,
      listFiles: async (tx, id) => [
        ...(await melodyNotes.listFiles(tx, id)),
        ...(await notePassages.lockFilesOfMelody(tx, id)),
      ],
    },
    makesCopies: decoders.ffmpegPath !== null,
  });
  const melodyImports = createMelodyImportsService({ db, media, levels });
  const chosenMelodies = createChosenMelodiesService({ db, melodies });
  const practiceLog = createPracticeLogService({ db, melodies, clock });
  const news = createNotificationsService({ db, attempts, clock, settings });
  const sounds = createFeedbackSoundsService({ db, media, uploads });
  const teachingNotes = createTeachingNotesService({
    ...{ db, media, melodies, levels },
    voiceFileOf: sounds.getVoiceFile,
    passages: notePassages,
  });
  const agreements = createAgreementsService({ db, media, levels, audit, clock });
  const recordings = createRecordingsService({
    ...{ db, media, melodies, uploads, quotas, news, recordingLines, clock },
    lockRelatedFiles: lockFeedbackFilesOfRecording,
  });
  const feedback = createFeedbackService({ db, search, media, recordings, sounds, news, clock, log });
  const heldWorker = createHeldFeedbackWorker({ held: feedback.held, clock, log });
  const marksByLine = createMarksByLineService({ db, melodies, clock });
  const phrases = createPhrasesService({ db, melodies, feedback });
  // Deleting a student locks rows in this order. Recordings come before the feedback on them, as when a reply
  // is sent. A different order could cause a deadlock.
  const ownedFiles = [recordings, feedback, agreements];
  const users = createUsersService({
    ...{ db, search, audit, media, news, community: settings, ownedFiles, passages: agreements, log },
  });
  const passkeys = createPasskeysService({ db, attempts, audit, clock, log, settings });
  const signIn = createSignInService({
    ...{ db, users, passkeys, sessions, attempts, audit, afterwards, clock, log, settings },
  });
  const passwords = createPasswordsService({
    ...{ db, sessions, attempts, audit, afterwards, clock, log, settings },
    isKnownDevice: signIn.isKnownDevice,
  });
  const registrations = createRegistrationsService({
    db,
    users,
    audit,
    attempts,
    clock,
    community: settings,
  });
  const account = createProfileService({
    ...{ db, users, passkeys, passwords, sessions, audit, clock, settings },
  });
  const invitations = createInvitationsService({ db, users, audit, log });
  const files = createFilesService({ db, checks: fileChecks, melodies, recordings, feedback });
  const pack = createPackService({ melodies, recordings, feedback, files, clock });
  const exports = createExportsService({
    ...{ db, users, recordings, feedback, melodies, practiceLog, agreements, files, audit, clock },
    community: settings,
  });
  const backups = createNightlyBackups({
    source: { connection, store, outbox: openOutboxFolder(parts).folder },
    folder: settings.backupDir,
    // Only an external database can be shared with another process that makes the backups.
    canRunElsewhere: settings.databaseUrl !== null,
    keep: settings.backupKeep,
    passphrase: settings.backupPassphrase,
    testRestore: async (path, signal) => {
      const { getRestoreTestResult } = await import('./test-restore.ts');
      return getRestoreTestResult(path, settings, log, signal);
    },
    ...{ db, notices, checks: fileChecks, clock, log },
  });
  const firstSteps = createFirstStepsService({ db, backups, clock, settings });
  const passkeyMailAgain =
    (kind: PasskeyEmailKind): MailResender =>
    async (tx, userId, _admin, at) => {
      if (!(await passkeys.sendAgain(tx, kind, userId, at)))
        throw createConflictError('This account is disabled.');
    };
  // Functions that compose each kind of email again after it could not be delivered.
  const composers: MailResenders = {
    credentials: (tx, userId, admin) => users.sendCredentialsAgain(tx, userId, admin),
    'feedback-given': (tx, userId) => news.sendAgain(tx, userId, 'feedback-given'),
    'recordings-waiting': (tx, userId) => news.sendAgain(tx, userId, 'recordings-waiting'),
    'password-reset': async (tx, userId) => {
      if (!(await passwords.sendResetAgain(tx, userId)))
        throw createConflictError('This account is disabled.');
    },
    'password-changed': async (tx, userId, _admin, at) => {
      if (!(await passwords.resendPasswordChangedEmail(tx, userId, at)))
        throw createConflictError('This account is disabled.');
    },
    // Not sent again, because it was for an address that the account no longer has.
    'account-changed': () => Promise.reject(createConflictError('This email can’t be sent again.')),
    'test-mail': async (tx, userId) => {
      if (!(await firstSteps.sendTestAgain(tx, userId)))
        throw createConflictError('This account is disabled.');
    },
    'new-device': async (tx, userId, _admin, at) => {
      if (!(await signIn.resendNewDeviceEmail(tx, userId, at)))
        throw createConflictError('This account is disabled.');
    },
    'passkey-added': passkeyMailAgain('passkey-added'),
    'passkey-removed': passkeyMailAgain('passkey-removed'),
    'passkey-asked-for': passkeyMailAgain('passkey-asked-for'),
    'passkey-not-asked-for': passkeyMailAgain('passkey-not-asked-for'),
    'sign-in-link': async (tx, userId) => {
      if (!(await signIn.sendLinkAgain(tx, userId))) throw createConflictError('This account is disabled.');
    },
  };
  const delivery = settings.mailServer
    ? createSmtpTransport(settings.mailServer, settings.mailFrom)
    : createOutboxTransport(openOutboxFolder(parts), settings.mailFrom);
  const mailer = createMailWorker({ db, connection, delivery, clock, log });
  const mail = createMailService({
    ...{ db, outbox: openOutboxFolder(parts), hasServer: !!settings.mailServer, composers, audit, log },
  });
  return {
    backups,
    firstSteps,
    copies,
    media,
    fileChecks,
    fileRounds,
    sessions,
    attempts,
    /** Runs work after the response to the request that has scheduled it. */
    afterwards,
    users,
    signIn,
    passkeys,
    passwords,
    registrations,
    invitations,
    account,
    levels,
    melodies,
    chosenMelodies,
    melodyImports,
    practiceLog,
    uploads,
    news,
    recordings,
    recordingLines,
    linesWorker,
    feedback,
    marksByLine,
    phrases,
    teachingNotes,
    agreements,
    heldWorker,
    files,
    pack,
    exports,
    audit,
    mail,
    mailer,
    /** Workers for the job queues. They start and stop with the server. */
    workers: [mailer, copies, linesWorker],
    notices,
  };
}

/** Opens the folder where emails are stored if there is no mail server. */
export const openOutboxFolder = ({
  settings,
  dataFolder,
}: Pick<ServerDependencies, 'settings' | 'dataFolder'>) =>
  openOutbox(join(settings.dataDir, 'outbox'), dataFolder.check);

/** Creates the web server with the whole API, but without pages. */
export async function createServer(
  parts: ServerDependencies,
  services: Services,
  changes: ChangeFeed,
  limits: ServerLimits = DEFAULT_SERVER_LIMITS,
) {
  const { settings, database, dataFolder, store, disk, staging, log, clock } = parts;
  const https = settings.publicUrl.protocol === 'https:';
  const origins = createOriginCheck(settings.publicUrl, log);
  const checks: HealthChecks = {
    databaseRead: createHealthCheck(database.check),
    databaseWrite: createHealthCheck(() => testDatabaseWrite(database.db), COMMIT_CHECK_CACHE),
    media: createHealthCheck(store.check),
  };
  const metrics = settings.metricsToken
    ? // Loads the library only if there is a token. Most servers have none, and start faster without it.
      (await import('./metrics.ts')).createMetrics(settings.metricsToken, parts, services, checks)
    : null;
  const { app, extendBodyTimeout } = await createApp({
    log,
    trustProxy: settings.trustProxy,
    https,
    hstsSubdomains: settings.hstsSubdomains,
    origins,
    limits,
    counts: metrics?.requests ?? null,
  });
  mountMetrics(app, metrics);
  app.addHook('onClose', (_, done) => {
    metrics?.stop();
    done();
  });
  const cookies = createCookies(https);
  // Rejects writes if the data folder was moved or replaced, because the next start would not find the data.
  app.addHook('onRequest', ({ method }, _reply, done) => {
    if (method === 'GET' || method === 'HEAD') done();
    else dataFolder.check().then(() => done(), done);
  });

  // If somebody has signed out while offline, ends that session before the request is handled.
  app.addHook('onRequest', async (request, reply) => {
    const userId = cookies.signedOut.read(request);
    if (userId === undefined) return;
    const session = cookies.session.read(request);
    const found = session ? await services.sessions.find(session, clock()) : null;
    if (session && found?.caller.id === userId) await services.signIn.signOut(session);
    cookies.signedOut.clear(reply);
  });

  async function identify(request: FastifyRequest, reply: FastifyReply | null) {
    const session = cookies.session.read(request);
    // Without a reply, the cookie can't be renewed, so the session is not extended either.
    const use = reply ? { address: request.ip } : undefined;
    const found = session ? await services.sessions.find(session, clock(), use) : null;
    if (session && reply && found?.isExtended) cookies.session.write(reply, session);
    return found?.caller ?? null;
  }

  const lists = createListLimiter(settings.databasePool);
  const deps = {
    identify,
    staging,
    limitRequests: createRequestLimiter(limits),
    extendBodyTimeout,
    limitLists: lists,
    responseCache: createResponseCache(),
    inProcess: new Map() as InProcessEndpoints,
    clock,
  };
  mountEndpoints(app, deps, api.signIn, createSignInRoutes(services.signIn, cookies, origins));
  mountEndpoints(app, deps, api.passkeys, createPasskeysRoutes(services.passkeys));
  mountEndpoints(app, deps, api.passwords, createPasswordsRoutes(services.passwords, cookies));
  mountEndpoints(app, deps, api.registrations, createRegistrationsRoutes(services.registrations));
  mountEndpoints(app, deps, api.invitations, createInvitationsRoutes(services.invitations));
  mountEndpoints(app, deps, api.levels, createLevelsRoutes(services.levels));
  mountEndpoints(app, deps, api.users, createUsersRoutes(services.users));
  mountEndpoints(app, deps, api.account, createProfileRoutes(services.account, cookies));
  mountEndpoints(app, deps, api.melodies, createMelodiesRoutes(services.melodies));
  mountEndpoints(app, deps, api.melodyImports, createMelodyImportsRoutes(services.melodyImports));
  mountEndpoints(app, deps, api.chosenMelodies, createChosenMelodiesRoutes(services.chosenMelodies));
  mountEndpoints(app, deps, api.practiceLog, createPracticeLogRoutes(services.practiceLog));
  mountEndpoints(app, deps, api.recordings, createRecordingsRoutes(services.recordings));
  mountEndpoints(app, deps, api.recordingLines, createRecordingLinesRoutes(services.recordingLines));
  mountEndpoints(app, deps, api.feedback, createFeedbackRoutes(services.feedback));
  mountEndpoints(app, deps, api.marksByLine, createMarksByLineRoutes(services.marksByLine));
  mountEndpoints(app, deps, api.phrases, createPhrasesRoutes(services.phrases));
  mountEndpoints(app, deps, api.teachingNotes, createTeachingNotesRoutes(services.teachingNotes));
  mountEndpoints(app, deps, api.agreements, createAgreementsRoutes(services.agreements));
  mountEndpoints(app, deps, api.pack, createPackRoutes(services.pack));
  mountEndpoints(app, deps, api.uploads, createUploadsRoutes(services.uploads));
  const answers = createLiveAuthGuard(
    {
      changes,
      callersOf: (ids) => services.sessions.callersOf(ids, clock()),
      canAccess: services.files.canAccess,
      log,
    },
    limits,
  );
  const send = createGuardedBodySender(answers, cookies);
  const streams = createEventStreams(changes, answers);
  app.addHook('preClose', (done) => {
    streams.close();
    done();
  });
  // `onClose` runs only after the uploads in progress have ended.
  app.addHook('onClose', (_, done) => {
    answers.close();
    done();
  });
  mountEndpoints(app, deps, api.notifications, createNotificationsRoutes(services.news, streams, cookies));
  mountEndpoints(
    app,
    deps,
    api.files,
    createFilesRoutes(services.files, answers, send, createFileDelegate(settings, store)),
  );
  mountEndpoints(
    app,
    deps,
    api.exports,
    createExportsRoutes({ exports: services.exports, answers, send, lists, origins, log }),
  );
  mountEndpoints(app, deps, api.audit, createAuditRoutes(services.audit));
  mountEndpoints(app, deps, api.firstSteps, createFirstStepsRoutes(services.firstSteps));
  mountEndpoints(app, deps, api.backups, createBackupsRoutes(services.backups));
  mountEndpoints(app, deps, api.mail, createMailRoutes(services.mail));
  mountEndpoints(app, deps, api.notices, createNoticesRoutes(services.notices));
  let document: ReturnType<typeof generateOpenApi> | null = null;
  // Creates the document on the first request, because creating it at startup would take a tenth of the
  // startup time.
  const openApi = () =>
    (document ??= generateOpenApi(
      { title: settings.appName, version: programVersion, sessionCookie: cookies.session.name },
      api,
    ));
  mountEndpoints(app, deps, api.health, createHealthRoutes(checks, services.fileChecks, openApi, disk));

  return { app, identify, inProcess: deps.inProcess, origins };
}
