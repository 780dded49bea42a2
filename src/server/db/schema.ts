import { AUDITED_ACTIONS, UPLOAD_SLOT_NAMES, MAIL_KINDS, NOTICE_KINDS } from '#shared/kinds.ts';
import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  customType,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';
import { SOUND_COPIES } from '#shared/media.ts';

// Schema of the whole database. Cascades are defined only here: deleting a student deletes everything that
// belongs to the student. Admins can't be deleted, and what they created stays. A level that is in use can't
// be deleted.

const timestampMs = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const bytea = customType<{ data: Uint8Array; driverData: Buffer }>({
  dataType: () => 'bytea',
  toDriver: (bytes) => Buffer.from(bytes),
});
const createdAt = () => timestampMs('created_at').notNull().defaultNow();

export const users = pgTable(
  'users',
  {
    id: text('id')
      .primaryKey()
      .default(sql`gen_random_uuid()::text`),
    email: text('email').notNull(),
    firstName: text('first_name'),
    lastName: text('last_name'),
    username: text('username').notNull(),
    /** Names and username, folded for search. Null until the program has filled it in. */
    foldedName: text('folded_name'),
    /** N-gram hashes of names, username and email, for search (`ngrams.ts`). */
    foldedGrams: integer('folded_grams').array(),
    /** Hash of the password (argon2id) in PHC format. */
    password: text('password').notNull(),
    profileImageUrl: text('profile_image_url'),
    role: text('role', { enum: ['admin', 'student'] })
      .notNull()
      .default('student'),
    isActive: boolean('is_active').notNull().default(true),
    /** True if the password was generated and the user has neither changed nor confirmed it. */
    suggestOwnPassword: boolean('suggest_own_password').notNull().default(false),
    /**
     * Time at which the teacher issued the student's current password. Null once the student has signed in with
     * it, or if the user chose the password.
     */
    passwordIssuedAt: timestampMs('password_issued_at'),
    /** True until the user adds a passkey or dismisses the suggestion. */
    suggestPasskey: boolean('suggest_passkey').notNull().default(true),
    /**
     * True if the user has turned on the second factor: signing in with a password, a link or a code then
     * also requires a passkey.
     */
    asksForPasskey: boolean('asks_for_passkey').notNull().default(false),
    /** Whether news emails are sent: about new feedback (to students) or pending recordings (to admins). */
    wantsNewsMail: boolean('wants_news_mail').notNull().default(true),
    /** Whether practice is logged. Off until the student turns it on. */
    keepsPracticeLog: boolean('keeps_practice_log').notNull().default(false),
    /** Token in the link that turns news emails off and on. Not hashed, because every news email repeats it. */
    newsToken: uuid('news_token').notNull().unique().defaultRandom(),
    /** Idempotency key of the invite that created the account. */
    clientId: uuid('client_id'),
    /** Null if no sign-in is known. */
    lastSignInAt: timestampMs('last_sign_in_at'),
    /** Whether the user, a teacher, has dismissed the first steps. */
    dismissedFirstSteps: boolean('dismissed_first_steps').notNull().default(false),
    createdAt: createdAt(),
    updatedAt: timestampMs('updated_at')
      .notNull()
      .defaultNow()
      .$onUpdate(() => new Date()),
  },
  (table) => [
    // Sign-in ignores case, so two emails or usernames must not differ only by case.
    uniqueIndex('users_email_unique').on(sql`lower(${table.email})`),
    uniqueIndex('users_username_unique').on(sql`lower(${table.username})`),
    // Sort order of the list of users. Written without concat_ws, which is not allowed in an index.
    index('users_by_name').on(
      sql`lower(coalesce(nullif(trim(coalesce(${table.firstName}, '') || ' ' || coalesce(${table.lastName}, '')), ''), ${table.username}))`,
      table.id,
    ),
    index('users_search').using('gin', table.foldedGrams),
    check('users_role', sql`${table.role} in ('admin', 'student')`),
  ],
);

export const passwordResetTokens = pgTable(
  'password_reset_tokens',
  {
    id: serial('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the token that was emailed. */
    token: text('token').notNull().unique(),
    expiresAt: timestampMs('expires_at').notNull(),
    used: boolean('used').notNull().default(false),
    createdAt: createdAt(),
  },
  (table) => [index('password_reset_tokens_user').on(table.userId)],
);

/** Emailed links and displayed codes, each valid for one sign-in of its user. */
export const signInTokens = pgTable(
  'sign_in_tokens',
  {
    id: serial('id').primaryKey(),
    kind: text('kind', { enum: ['link', 'code'] }).notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** User to whom the code was shown: the one who signs in with it, or a teacher. Null for a link. */
    issuedBy: text('issued_by').references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of a link's token, or a slow hash of a code, because a code is short. */
    token: text('token').notNull().unique(),
    state: text('state', { enum: ['open', 'used', 'void'] })
      .notNull()
      .default('open'),
    expiresAt: timestampMs('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('sign_in_tokens_user').on(table.userId),
    index('sign_in_tokens_issued_by').on(table.issuedBy),
  ],
);

/**
 * Sign-ins of students with a code that a teacher showed them. The students can see these sign-ins, which are
 * deleted after a year.
 */
export const codeSignIns = pgTable(
  'code_sign_ins',
  {
    id: serial('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The teacher's name at the time of the sign-in. */
    shownBy: text('shown_by').notNull(),
    /** Short description of the browser, derived from its User-Agent. */
    device: text('device').notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('code_sign_ins_user').on(table.userId)],
);

export const passkeys = pgTable(
  'passkeys',
  {
    id: serial('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The authenticator's id for the passkey, in base64url. */
    credentialId: text('credential_id').notNull().unique(),
    /** COSE key, in base64url. */
    publicKey: text('public_key').notNull(),
    /** Signature counter of the authenticator; 0 if it has none. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: jsonb('transports').$type<string[]>().notNull().default([]),
    name: text('name').notNull(),
    createdAt: createdAt(),
    usedAt: timestampMs('used_at'),
  },
  (table) => [index('passkeys_user').on(table.userId)],
);

/**
 * WebAuthn challenges that await a response. The first response deletes its challenge, so that none is used
 * twice.
 */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    /** SHA-256 of the challenge. */
    challenge: text('challenge').primaryKey(),
    purpose: text('purpose', { enum: ['add', 'sign-in'] }).notNull(),
    /** User who is adding a passkey; null for a sign-in. */
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: timestampMs('expires_at').notNull(),
  },
  (table) => [
    index('passkey_challenges_user').on(table.userId),
    index('passkey_challenges_expires').on(table.expiresAt),
  ],
);

export const registrationRequests = pgTable(
  'registration_requests',
  {
    id: serial('id').primaryKey(),
    fullName: text('full_name').notNull(),
    email: text('email').notNull(),
    status: text('status').notNull().default('pending'),
    requestedAt: timestampMs('requested_at').notNull().defaultNow(),
    processedAt: timestampMs('processed_at'),
    processedBy: text('processed_by').references(() => users.id, { onDelete: 'set null' }),
  },
  (table) => [
    uniqueIndex('registration_requests_one_pending')
      .on(sql`lower(${table.email})`)
      .where(sql`${table.status} = 'pending'`),
    index('registration_requests_newest').on(table.requestedAt, table.id),
    index('registration_requests_status').on(table.status, table.requestedAt, table.id),
    index('registration_requests_approved')
      .on(table.processedAt.desc().nullsLast())
      .where(sql`${table.status} = 'approved'`),
  ],
);

export const categories = pgTable('categories', {
  id: serial('id').primaryKey(),
  name: text('name').notNull().unique(),
  description: text('description'),
  createdAt: createdAt(),
});

export const transmissionLevels = pgTable('transmission_levels', {
  id: serial('id').primaryKey(),
  name: varchar('name', { length: 100 }).notNull().unique(),
  description: text('description'),
  /** True if the level's melodies can be played only online and are never stored on devices. */
  neverKept: boolean('never_kept').notNull().default(false),
  createdAt: createdAt(),
});

export const userTransmissionAccess = pgTable(
  'user_transmission_access',
  {
    id: serial('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    transmissionLevelId: integer('transmission_level_id')
      .notNull()
      .references(() => transmissionLevels.id, { onDelete: 'cascade' }),
    grantedAt: timestampMs('granted_at').notNull().defaultNow(),
    grantedBy: text('granted_by')
      .notNull()
      .references(() => users.id),
  },
  (table) => [
    unique('user_transmission_access_once').on(table.userId, table.transmissionLevelId),
    index('user_transmission_access_level').on(table.transmissionLevelId),
    index('user_transmission_access_granted_by').on(table.grantedBy),
  ],
);

/** State of the nightly backups. Times are ISO 8601. */
export type BackupStatus = {
  /**
   * Time of the first check for backups by a process with BACKUP_DIR. As long as there is no backup, lateness
   * is measured from this time.
   */
  since: string;
  /** `bytes` includes the media that the backup shares with others. */
  latest: { takenAt: string; bytes: number } | null;
  /**
   * `startedAt`: start of the last restore test. `provenAt`: end of the last successful test. `failedAt`: end
   * of the last finished test, if it failed or could not be done.
   */
  restoreTest?: { startedAt: string; provenAt: string | null; failedAt: string | null };
};

/**
 * A single row that identifies this installation. The media store contains the same id, so that the program
 * detects media of another installation.
 */
export const installation = pgTable(
  'installation',
  {
    isOnly: boolean('is_only').primaryKey().default(true),
    id: uuid('id').notNull().defaultRandom(),
    createdAt: createdAt(),
    /**
     * State of the backups as last written by the process with BACKUP_DIR, for other processes to read. Null if
     * there has never been such a process.
     */
    backups: jsonb('backups').$type<BackupStatus>(),
  },
  (table) => [check('installation_is_only', sql`${table.isOnly}`)],
);

/** Unresolved notices to the teacher about the installation itself, at most one of each kind. */
export const notices = pgTable('notices', {
  kind: text('kind', { enum: NOTICE_KINDS }).primaryKey(),
  /** Numbers that the text of the notice needs, such as the number of files. */
  detail: jsonb('detail').$type<Record<string, number>>().notNull().default({}),
  since: timestampMs('since').notNull().defaultNow(),
  /** Time at which a teacher dismissed the notice, by the database's clock. */
  dismissedAt: timestampMs('dismissed_at'),
});

/**
 * Properties of each stored file, measured once, at upload. A file's row is written and deleted in the same
 * transaction as the row that refers to the file. There is no foreign key, because the referring rows may
 * also contain URLs that start with '/' and point outside the store.
 */
export const mediaFiles = pgTable(
  'media_files',
  {
    /**
     * Random name with the extension of the detected format. It is the key in the store and the last part of
     * the URL.
     */
    name: text('name').primaryKey(),
    /**
     * Purpose of the file, which decides who may access it. A copy can be accessed like its original, whatever
     * its own slot. 'melody-playback' marks copies made by version 0.2.0.
     */
    slot: text('slot', {
      enum: [
        'melody-audio',
        'melody-playback',
        'melody-thumbnail',
        'recording-audio',
        'feedback-audio',
        'audio-copy',
      ],
    }).notNull(),
    /**
     * Original of this copy. Deletions cascade, because an older version running on this database deletes only
     * originals.
     */
    copyOf: text('copy_of').references((): AnyPgColumn => mediaFiles.name, { onDelete: 'cascade' }),
    copy: text('copy', { enum: SOUND_COPIES }),
    contentType: text('content_type').notNull(),
    size: integer('size').notNull(),
    sha256: text('sha256').notNull(),
    durationMs: integer('duration_ms'),
    /** Waveform: 200 bytes in base64. */
    peaks: text('peaks'),
    /** False if browsers can only estimate seek positions (MP3 of variable bit rate). */
    seeksExactly: boolean('seeks_exactly').notNull().default(true),
    /** Time at which the bytes were last compared with `size` and `sha256`; null if never since the upload. */
    checkedAt: timestampMs('checked_at'),
    /**
     * Result of the comparison at `checkedAt`: the file is missing, or its bytes differ. Null if it is intact
     * or was never compared.
     */
    damage: text('damage', { enum: ['missing', 'changed'] }),
    createdAt: createdAt(),
  },
  (table) => [
    index('media_files_checked').on(table.checkedAt.asc().nullsFirst(), table.name),
    index('media_files_damaged')
      .on(table.name)
      .where(sql`${table.damage} is not null`),
    uniqueIndex('media_files_copies').on(table.copyOf, table.copy),
    check('media_files_size', sql`${table.size} > 0`),
    check('media_files_copy', sql`(${table.copyOf} is null) = (${table.copy} is null)`),
  ],
);

/** Queue of audio files that need copies. Rows are written in the transaction that stores the original. */
export const soundCopyJobs = pgTable(
  'copy_jobs',
  {
    /** Processed in descending order, because the newest recordings are listened to first. */
    id: serial('id').primaryKey(),
    original: text('original')
      .notNull()
      .unique()
      .references(() => mediaFiles.name, { onDelete: 'cascade' }),
    attempts: integer('attempts').notNull().default(0),
    /** Time of the next attempt, by the program's clock. While the job is leased: end of the lease. */
    dueAt: timestampMs('due_at')
      .notNull()
      .default(sql`to_timestamp(0)`),
  },
  (table) => [check('copy_jobs_attempts', sql`${table.attempts} >= 0`)],
);

/**
 * Packed audio features of a melody, for comparing recordings with it. Computed once, and deleted with the
 * file.
 */
export const soundFeatures = pgTable('sound_features', {
  name: text('name')
    .primaryKey()
    .references(() => mediaFiles.name, { onDelete: 'cascade' }),
  features: bytea('features').notNull(),
});

/**
 * Time at which a line of a melody's text is sung. `line` is the index in the text, including blank lines.
 * `start` is in seconds from the beginning of the audio.
 */
export type LineTiming = { line: number; start: number };

export const melodies = pgTable(
  'melodies',
  {
    id: serial('id').primaryKey(),
    title: text('title').notNull(),
    description: text('description'),
    transmissionLevelId: integer('transmission_level_id')
      .notNull()
      .references(() => transmissionLevels.id, { onDelete: 'restrict' }),
    vimeoUrl: text('vimeo_url'),
    audioUrl: text('audio_url'),
    /**
     * URL of a full copy made by version 0.2.0. New URLs are never written, but a file named here must still
     * be deleted when the melody or its audio is.
     */
    playbackUrl: text('playback_url'),
    thumbnailUrl: text('thumbnail_url'),
    melodyText: text('melody_text'),
    timings: jsonb('timings').$type<LineTiming[]>(),
    /**
     * Title, folded for search (`search-words.ts`). Null until the program has filled it in, like the next two
     * columns.
     */
    foldedTitle: text('folded_title'),
    /** Title, description and text, folded for search. */
    foldedText: text('folded_text'),
    /** N-gram hashes for finding candidates through an index (`ngrams.ts`). */
    foldedGrams: integer('folded_grams').array(),
    createdBy: text('created_by')
      .notNull()
      .references(() => users.id),
    /** Idempotency key of the call that created the melody, unique per creator. */
    clientId: uuid('client_id'),
    /** Idempotency key of the last change. */
    changeId: uuid('change_id'),
    /**
     * The import that added the melody. Null if no import added it. Also null if any melody of that import has
     * been changed since, because then the import can't be undone.
     */
    importId: uuid('import_id'),
    createdAt: createdAt(),
  },
  (table) => [
    index('melodies_import')
      .on(table.importId)
      .where(sql`${table.importId} is not null`),
    unique('melodies_client_id_once').on(table.createdBy, table.clientId),
    index('melodies_level').on(table.transmissionLevelId),
    index('melodies_newest').on(table.createdAt, table.id),
    index('melodies_audio').on(table.audioUrl),
    index('melodies_playback').on(table.playbackUrl),
    index('melodies_thumbnail').on(table.thumbnailUrl),
    index('melodies_created_by').on(table.createdBy),
    index('melodies_search').using('gin', table.foldedGrams),
  ],
);

/**
 * A single row with the version of the library. Triggers set a new version in the same transaction whenever a
 * melody or a level is added, changed or deleted (see `0001_release_0_2_0.sql`). The version is random, because
 * a number would repeat after an older backup is restored.
 */
export const library = pgTable(
  'library',
  {
    isOnly: boolean('is_only').primaryKey().default(true),
    version: uuid('version').notNull().defaultRandom(),
  },
  (table) => [check('library_is_only', sql`${table.isOnly}`)],
);

export const favourites = pgTable(
  'favourites',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    melodyId: integer('melody_id')
      .notNull()
      .references(() => melodies.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.melodyId] }),
    index('favourites_melody').on(table.melodyId),
  ],
);

/** Melodies that a student wants to sing each day, until the student changes the list. */
export const todaysMelodies = pgTable(
  'todays_melodies',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    melodyId: integer('melody_id')
      .notNull()
      .references(() => melodies.id, { onDelete: 'cascade' }),
    /** Sort key within the student's list. */
    place: integer('place').notNull(),
    /** Number of times to sing the melody. */
    times: integer('times').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.melodyId] }),
    index('todays_melodies_melody').on(table.melodyId),
    check('todays_melodies_times', sql`${table.times} between 1 and 108`),
  ],
);

/** Melodies in a student's practice log, which only that student can see. */
export const practisedMelodies = pgTable(
  'practised_melodies',
  {
    id: serial('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    melodyId: integer('melody_id').references(() => melodies.id, { onDelete: 'set null' }),
    /** The melody's title when it was last practised. The log is kept even if the melody is deleted. */
    title: text('title').notNull(),
    /** Number of times that the student intends to sing the melody. Null if there is no such goal. */
    target: integer('target'),
    /** Number of times the student sang the melody before starting the log. */
    sungBefore: integer('sung_before').notNull().default(0),
  },
  (table) => [
    unique('practised_melodies_once').on(table.userId, table.melodyId),
    index('practised_melodies_melody').on(table.melodyId),
    check('practised_melodies_target', sql`${table.target} > 0`),
    check('practised_melodies_sung_before', sql`${table.sungBefore} >= 0`),
  ],
);

/** Practice of a melody on one date, by the clock of the student's device. */
export const practiceDays = pgTable(
  'practice_days',
  {
    practisedMelodyId: integer('practised_melody_id')
      .notNull()
      .references(() => practisedMelodies.id, { onDelete: 'cascade' }),
    day: date('day').notNull(),
    seconds: integer('seconds').notNull(),
    times: integer('times').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.practisedMelodyId, table.day] }),
    check('practice_days_numbers', sql`${table.seconds} >= 0 and ${table.times} >= 0`),
  ],
);

/** Idempotency keys of additions to the practice log. */
export const practiceIdempotencyKeys = pgTable(
  'added_practice',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Idempotency key, generated on the device. */
    clientId: uuid('client_id').notNull(),
    day: date('day').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.clientId] }),
    index('added_practice_day').on(table.userId, table.day),
  ],
);

export const recordings = pgTable(
  'recordings',
  {
    id: serial('id').primaryKey(),
    title: text('title').notNull(),
    /** Title, folded for search. Null until the program has filled it in. */
    foldedTitle: text('folded_title'),
    message: text('message'),
    audioUrl: text('audio_url').notNull(),
    duration: integer('duration').notNull(),
    studentId: text('student_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The melody that was sung. If it is deleted, the recording stays and keeps its title. */
    melodyId: integer('melody_id').references(() => melodies.id, { onDelete: 'set null' }),
    /** Idempotency key, generated on the device. */
    clientId: uuid('client_id'),
    status: text('status', { enum: ['pending', 'reviewed'] })
      .notNull()
      .default('pending'),
    createdAt: createdAt(),
  },
  (table) => [
    unique('recordings_client_id_once').on(table.studentId, table.clientId),
    // Includes the status, so that a student's recordings can be counted by status from the index alone.
    index('recordings_student_newest').on(table.studentId, table.id, table.status),
    // Used to count a student's attempts at a melody.
    index('recordings_attempts').on(table.studentId, table.melodyId, table.id),
    index('recordings_pending')
      .on(table.createdAt, table.id)
      .where(sql`${table.status} = 'pending'`),
    index('recordings_melody').on(table.melodyId),
    index('recordings_audio').on(table.audioUrl),
    check('recordings_status', sql`${table.status} in ('pending', 'reviewed')`),
    check('recordings_duration', sql`${table.duration} >= 1`),
  ],
);

/** Queue of recordings whose lines must be found, like `soundCopyJobs` for audio files. */
export const lineMatchingJobs = pgTable(
  'line_jobs',
  {
    /** Processed in descending order, because the newest recordings are listened to first. */
    id: serial('id').primaryKey(),
    recordingId: integer('recording_id')
      .notNull()
      .unique()
      .references(() => recordings.id, { onDelete: 'cascade' }),
    attempts: integer('attempts').notNull().default(0),
    /** Time of the next attempt, by the program's clock. While the job is leased: end of the lease. */
    dueAt: timestampMs('due_at')
      .notNull()
      .default(sql`to_timestamp(0)`),
  },
  (table) => [check('line_jobs_attempts', sql`${table.attempts} >= 0`)],
);

/**
 * Passage of a recording in which a line of the melody is sung. `line` is the index in the text, as in timings;
 * `start` and `end` are in seconds from the start of the recording; `sure` is a confidence from 0 to 1;
 * `isCorrected` means that a teacher has set the start.
 */
export type RecordingLine = { line: number; start: number; end: number; sure: number; isCorrected?: true };

export const recordingLines = pgTable('recording_lines', {
  recordingId: integer('recording_id')
    .primaryKey()
    .references(() => recordings.id, { onDelete: 'cascade' }),
  lines: jsonb('lines').$type<RecordingLine[]>().notNull(),
});

/**
 * A comment on a moment or a passage of a recording. `start` and `end` are in seconds from its beginning; `end`
 * is null for a moment.
 */
export type FeedbackMark = {
  start: number;
  end: number | null;
  text: string;
  /**
   * Corresponding position in the melody's audio, in seconds. Null if there is none; absent if it was never
   * specified.
   */
  melodyAt?: number | null | undefined;
  /** Id of the mark's voice comment in `mark_voices`; absent if there is none. */
  voice?: string | undefined;
};

export const feedback = pgTable(
  'feedback',
  {
    id: serial('id').primaryKey(),
    recordingId: integer('recording_id')
      .notNull()
      .references(() => recordings.id, { onDelete: 'cascade' }),
    writtenFeedback: text('written_feedback'),
    audioFeedbackUrl: text('audio_feedback_url'),
    marks: jsonb('marks').$type<FeedbackMark[]>().notNull().default([]),
    adminId: text('admin_id')
      .notNull()
      .references(() => users.id),
    clientId: uuid('client_id'),
    status: text('status', { enum: ['unread', 'read', 'integrated'] })
      .notNull()
      .default('unread'),
    createdAt: createdAt(),
    correctedAt: timestampMs('corrected_at'),
  },
  (table) => [
    unique('feedback_one_for_each_recording').on(table.recordingId),
    unique('feedback_client_id_once').on(table.adminId, table.clientId),
    index('feedback_audio').on(table.audioFeedbackUrl),
    check('feedback_status', sql`${table.status} in ('unread', 'read', 'integrated')`),
    check(
      'feedback_says_something',
      sql`${table.writtenFeedback} is not null or ${table.audioFeedbackUrl} is not null`,
    ),
  ],
);

/** An admin's draft of feedback. Deleted when the feedback is sent. */
export const feedbackDrafts = pgTable(
  'feedback_drafts',
  {
    recordingId: integer('recording_id')
      .notNull()
      .references(() => recordings.id, { onDelete: 'cascade' }),
    adminId: text('admin_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    text: text('text').notNull(),
    marks: jsonb('marks').$type<FeedbackMark[]>().notNull().default([]),
    /** Id of this version of the draft. The browser generates a new id for each edit. */
    revision: uuid('revision').notNull().defaultRandom(),
    updatedAt: timestampMs('updated_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.recordingId, table.adminId] }),
    index('feedback_drafts_admin').on(table.adminId),
  ],
);

/**
 * Feedback in its undo window. When it is due, it becomes a row of `feedback`. Students' requests never read
 * this table.
 */
export const heldFeedback = pgTable(
  'held_feedback',
  {
    recordingId: integer('recording_id')
      .primaryKey()
      .references(() => recordings.id, { onDelete: 'cascade' }),
    adminId: text('admin_id')
      .notNull()
      .references(() => users.id),
    clientId: uuid('client_id'),
    /** Exactly as typed; null if there is no text. */
    writtenFeedback: text('written_feedback'),
    marks: jsonb('marks').$type<FeedbackMark[]>().notNull().default([]),
    audioFeedbackUrl: text('audio_feedback_url'),
    /** End of the undo window, by the program's clock. */
    dueAt: timestampMs('due_at').notNull(),
  },
  (table) => [
    unique('held_feedback_client_id_once').on(table.adminId, table.clientId),
    index('held_feedback_due').on(table.dueAt),
    index('held_feedback_audio').on(table.audioFeedbackUrl),
  ],
);

/**
 * Idempotency keys of undone or deleted rows. A late duplicate of the call that created such a row is rejected,
 * so that the row doesn't reappear.
 */
export const clientIdTombstones = pgTable(
  'spent_keys',
  {
    /** User who owns the key. Empty for keys that are unique across all users. */
    ownerId: text('owner_id').notNull(),
    clientId: uuid('client_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.clientId] })],
);

/** Voice comments of marks, in feedback that is sent or held. */
export const markVoices = pgTable(
  'mark_voices',
  {
    recordingId: integer('recording_id')
      .notNull()
      .references(() => recordings.id, { onDelete: 'cascade' }),
    /** Generated on the device. Marks refer to it. */
    id: uuid('id').notNull(),
    audioUrl: text('audio_url').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.recordingId, table.id] }),
    unique('mark_voices_audio').on(table.audioUrl),
  ],
);

/** Pending recordings that an admin has snoozed until a certain time. */
export const snoozedRecordings = pgTable(
  'recordings_put_aside',
  {
    recordingId: integer('recording_id')
      .notNull()
      .references(() => recordings.id, { onDelete: 'cascade' }),
    adminId: text('admin_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    until: timestampMs('until').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.recordingId, table.adminId] }),
    index('recordings_put_aside_admin').on(table.adminId),
  ],
);

/** An admin's saved phrases, each with a name that the admin chose. */
export const phrases = pgTable(
  'phrases',
  {
    id: serial('id').primaryKey(),
    adminId: text('admin_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    text: text('text').notNull(),
  },
  (table) => [uniqueIndex('phrases_name_once').on(table.adminId, sql`lower(${table.name})`)],
);

/**
 * A teacher's notes on lines of a melody, for everyone who can access the melody. A spoken note's file belongs
 * to the melody, never to a student.
 */
export const teachingNotes = pgTable(
  'teaching_notes',
  {
    id: serial('id').primaryKey(),
    melodyId: integer('melody_id')
      .notNull()
      .references(() => melodies.id, { onDelete: 'cascade' }),
    /** Idempotency key, generated on the device. */
    clientId: uuid('client_id').notNull().unique(),
    /** Index of the line in the text, counting blank lines. */
    line: integer('line').notNull(),
    /** Sort key among the notes on the same line. */
    position: integer('position').notNull(),
    text: text('text').notNull(),
    audioUrl: text('audio_url').unique(),
  },
  (table) => [
    index('teaching_notes_melody').on(table.melodyId),
    check('teaching_notes_say_something', sql`${table.text} <> '' or ${table.audioUrl} is not null`),
  ],
);

/**
 * Requests to use a passage of a student's recording in a teaching note, and the student's responses. The
 * passage is stored as a separate file, which exists only while the student agrees.
 */
export const agreements = pgTable(
  'agreements',
  {
    id: serial('id').primaryKey(),
    /** Idempotency key, generated on the device. */
    clientId: uuid('client_id').notNull().unique(),
    noteId: integer('note_id')
      .notNull()
      .references(() => teachingNotes.id, { onDelete: 'cascade' }),
    recordingId: integer('recording_id')
      .notNull()
      .references(() => recordings.id, { onDelete: 'cascade' }),
    /** Admin who made the request. */
    adminId: text('admin_id')
      .notNull()
      .references(() => users.id),
    /** Start of the passage in seconds from the start of the recording, like `end`. */
    start: doublePrecision('start').notNull(),
    end: doublePrecision('end').notNull(),
    wantsName: boolean('wants_name').notNull(),
    state: text('state', { enum: ['asked', 'agreed', 'declined', 'revoked'] })
      .notNull()
      .default('asked'),
    askedAt: timestampMs('asked_at').notNull(),
    answeredAt: timestampMs('answered_at'),
    revokedAt: timestampMs('revoked_at'),
    /** Name that the student typed as a signature. */
    signature: text('signature'),
    /** Name shown with the passage; null if the student did not agree to show one. */
    name: text('name'),
    audioUrl: text('audio_url').unique(),
  },
  (table) => [
    unique('agreements_asked_once').on(table.noteId, table.recordingId),
    uniqueIndex('agreements_one_of_note')
      .on(table.noteId)
      .where(sql`${table.state} in ('asked', 'agreed')`),
    index('agreements_recording').on(table.recordingId),
    index('agreements_admin').on(table.adminId),
    check('agreements_state', sql`${table.state} in ('asked', 'agreed', 'declined', 'revoked')`),
    check('agreements_file', sql`(${table.audioUrl} is not null) = (${table.state} = 'agreed')`),
    check(
      'agreements_signature',
      sql`(${table.signature} is not null) = (${table.state} in ('agreed', 'revoked'))`,
    ),
    check('agreements_passage', sql`${table.start} >= 0 and ${table.start} < ${table.end}`),
  ],
);

/** Resumable chunked uploads, for unreliable connections. The bytes are in files (`partial-files.ts`). */
export const uploads = pgTable(
  'uploads',
  {
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Id of the upload in URLs, generated on the device. */
    clientId: uuid('client_id').notNull(),
    /** Purpose of the file, which decides who may send it and how large it may be. */
    slot: text('slot', {
      enum: UPLOAD_SLOT_NAMES,
    }).notNull(),
    /** Size of the complete file, in bytes. */
    size: integer('size').notNull(),
    /** Number of bytes that are safely in the file (fsync). Any bytes after them were never acknowledged. */
    received: integer('received').notNull().default(0),
    /** Random name of the file. An upload that starts over gets a new name. */
    file: text('file')
      .notNull()
      .default(sql`gen_random_uuid()::text`),
    createdAt: createdAt(),
    /** Time at which the last chunk arrived, or the upload was started. */
    grownAt: timestampMs('grown_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.clientId] }),
    index('uploads_created').on(table.createdAt),
    index('uploads_file').on(table.file),
    check('uploads_size', sql`${table.size} > 0`),
    check('uploads_received', sql`${table.received} between 0 and ${table.size}`),
  ],
);

export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the id in the cookie, so that reading this table isn't enough to sign in. */
    sid: text('sid').primaryKey(),
    sess: jsonb('sess').$type<{ userId: string }>().notNull(),
    expire: timestampMs('expire').notNull(),
    /** Identifies the session in the user's list of sessions. Not derived from the id in the cookie. */
    id: uuid('id').notNull().unique().defaultRandom(),
    createdAt: createdAt(),
    /** Time of the last request, accurate to an hour. */
    seenAt: timestampMs('seen_at').notNull().defaultNow(),
    /**
     * Short description of the browser, derived from its User-Agent; null for sessions from before this was
     * recorded.
     */
    device: text('device'),
    /** IP address of the request at `seenAt`. */
    address: text('address'),
    /**
     * Time at which the user last entered their password or used a passkey in this session. An emailed link or
     * a code doesn't count.
     */
    provedAt: timestampMs('proved_at'),
    /** Name, at sign-in, of the teacher whose code started the session; null for any other sign-in. */
    codeShownBy: text('code_shown_by'),
  },
  (table) => [
    index('sessions_expire').on(table.expire),
    index('sessions_user').on(sql`(${table.sess} ->> 'userId')`),
  ],
);

/**
 * Returns the /48 of a stored IPv6 /64, or a stored IPv4 address unchanged: `getWidestNetwork` in SQL. The
 * index requires exactly this expression.
 */
export const selectWidestNetwork = (address: AnyPgColumn) =>
  sql`regexp_replace(${address}, ':[^:]*::/64$', '::/48')`;

/**
 * Attempts that count towards a rate limit: wrong passwords and codes, created sign-in codes and passkey
 * challenges, requests for access, a password reset or a sign-in link, and uses of an unsubscribe link. Daily
 * maintenance deletes those older than an hour.
 */
export const rateLimitedAttempts = pgTable(
  'attempts',
  {
    id: serial('id').primaryKey(),
    kind: text('kind', {
      enum: [
        'registration',
        'password-reset',
        'news-link',
        'sign-in-link',
        'sign-in-code-made',
        'passkey-challenge',
        'sign-in',
        'known-device',
        'password-change',
        'sign-in-code',
        // Pending attempts: the password or code is still being checked.
        'sign-in-under-way',
        'known-device-under-way',
        'password-change-under-way',
        'sign-in-code-under-way',
      ],
    }).notNull(),
    /**
     * SHA-256 of the attempt's subject, such as a name, an email or a user id, in lower case. Hashed because
     * people sometimes type their password into the name field.
     */
    subject: text('subject').notNull(),
    /** The client's IPv4 address or IPv6 /64. */
    address: text('address').notNull(),
    at: timestampMs('at').notNull().defaultNow(),
  },
  (table) => [
    index('attempts_subject').on(table.kind, table.subject, table.at),
    index('attempts_network').on(table.kind, selectWidestNetwork(table.address), table.at),
    index('attempts_at').on(table.at),
  ],
);

/**
 * Browsers from which a user has signed in. Sign-in attempts from these browsers have a separate rate limit,
 * so that other people who guess passwords don't lock the user out.
 */
export const knownDevices = pgTable(
  'known_devices',
  {
    /** SHA-256 of the id in the device's cookie. */
    device: text('device').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    seenAt: timestampMs('seen_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.device] }),
    index('known_devices_device').on(table.device),
    index('known_devices_seen').on(table.seenAt),
  ],
);

/**
 * The email queue. A row is written in the transaction of the change that the email reports. The content is
 * erased as soon as the email is settled, because it may contain a password.
 */
export const mails = pgTable(
  'mails',
  {
    id: serial('id').primaryKey(),
    kind: text('kind', { enum: MAIL_KINDS }).notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The user's email address when the email was written. */
    recipient: text('recipient').notNull(),
    /**
     * Idempotency key of the request that caused the email, if that request can be repeated after a lost
     * response.
     */
    clientId: uuid('client_id'),
    subject: text('subject').notNull(),
    text: text('text'),
    html: text('html'),
    /** URL where the recipient can turn off emails of this kind; null if they can't be turned off. */
    unsubscribeUrl: text('unsubscribe_url'),
    status: text('status', { enum: ['queued', 'delivered', 'undeliverable'] })
      .notNull()
      .default('queued'),
    attempts: integer('attempts').notNull().default(0),
    /** Time of the next attempt to send, by the program's clock. While leased: end of the lease. */
    dueAt: timestampMs('due_at').notNull().defaultNow(),
    /** Reason for the last failure, in words for the teacher. */
    lastError: text('last_error'),
    /**
     * Name of the email's file in the outbox. Null if the email is not in the outbox, for example because a
     * mail server has accepted it or the teacher has passed it on.
     */
    outboxFile: text('outbox_file'),
    createdAt: createdAt(),
    settledAt: timestampMs('settled_at'),
  },
  (table) => [
    index('mails_due')
      .on(table.dueAt, table.id)
      .where(sql`${table.status} = 'queued'`),
    index('mails_user').on(table.userId),
    index('mails_status').on(table.status, table.settledAt),
    index('mails_outbox')
      .on(table.id)
      .where(sql`${table.outboxFile} is not null`),
    check('mails_status', sql`${table.status} in ('queued', 'delivered', 'undeliverable')`),
    check(
      'mails_says_something_or_is_settled',
      sql`(${table.text} is not null) = (${table.status} = 'queued')`,
    ),
  ],
);

/**
 * The audit log. Names are copied when an entry is written, so that entries stay readable after a person is
 * deleted.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: serial('id').primaryKey(),
    at: timestampMs('at').notNull().defaultNow(),
    actorId: text('actor_id').references(() => users.id, { onDelete: 'set null' }),
    actorName: text('actor_name').notNull(),
    action: text('action', { enum: AUDITED_ACTIONS }).notNull(),
    /** The person or level that was acted on. */
    subjectName: text('subject_name').notNull(),
    /** Further information, for example the level that was granted. */
    detail: text('detail'),
    /** UUID shared by the entries of one bulk action, which are listed as one entry. */
    batch: uuid('batch'),
  },
  (table) => [
    index('audit_log_actor').on(table.actorId),
    index('audit_log_batch')
      .on(table.batch, table.id)
      .where(sql`${table.batch} is not null`),
  ],
);
