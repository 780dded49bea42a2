--> migration 1795424764039 sound_copies
CREATE TABLE "copy_jobs" (
	"id" serial PRIMARY KEY NOT NULL,
	"original" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT to_timestamp(0) NOT NULL,
	CONSTRAINT "copy_jobs_original_unique" UNIQUE("original"),
	CONSTRAINT "copy_jobs_attempts" CHECK ("copy_jobs"."attempts" >= 0)
);
--> statement-breakpoint
ALTER TABLE "media_files" ADD COLUMN "copy_of" text;--> statement-breakpoint
ALTER TABLE "media_files" ADD COLUMN "copy" text;--> statement-breakpoint
ALTER TABLE "copy_jobs" ADD CONSTRAINT "copy_jobs_original_media_files_name_fk" FOREIGN KEY ("original") REFERENCES "public"."media_files"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_files" ADD CONSTRAINT "media_files_copy_of_media_files_name_fk" FOREIGN KEY ("copy_of") REFERENCES "public"."media_files"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "media_files_copies" ON "media_files" USING btree ("copy_of","copy");--> statement-breakpoint
ALTER TABLE "media_files" ADD CONSTRAINT "media_files_copy" CHECK (("media_files"."copy_of" is null) = ("media_files"."copy" is null));--> statement-breakpoint
-- What was made when a melody was sent is its full copy from now on.
UPDATE "media_files" SET "copy_of" = "original"."name", "copy" = 'full'
  FROM "melodies" JOIN "media_files" AS "original" ON "original"."name" = "melodies"."audio_url"
  WHERE "media_files"."name" = "melodies"."playback_url";--> statement-breakpoint
-- The oldest get the lowest numbers, and so their turn last.
INSERT INTO "copy_jobs" ("original")
  SELECT "name" FROM "media_files"
  WHERE "slot" IN ('melody-audio', 'recording-audio', 'feedback-audio') ORDER BY "created_at", "name";
--> statement-breakpoint
--> migration 1795426894626 never_kept
ALTER TABLE "transmission_levels" ADD COLUMN "never_kept" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
--> migration 1795427087501 sign_in_without_typing
CREATE TABLE "passkey_challenges" (
	"challenge" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"user_id" text,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "passkeys_credential_id_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "sign_in_tokens" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"user_id" text NOT NULL,
	"issued_by" text,
	"token" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sign_in_tokens_token_unique" UNIQUE("token")
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "suggest_passkey" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "asks_for_passkey" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD CONSTRAINT "passkey_challenges_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_tokens" ADD CONSTRAINT "sign_in_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_tokens" ADD CONSTRAINT "sign_in_tokens_issued_by_users_id_fk" FOREIGN KEY ("issued_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "passkey_challenges_user" ON "passkey_challenges" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "passkey_challenges_expires" ON "passkey_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "passkeys_user" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sign_in_tokens_user" ON "sign_in_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sign_in_tokens_issued_by" ON "sign_in_tokens" USING btree ("issued_by");
--> statement-breakpoint
--> migration 1795427383132 chosen_melodies
CREATE TABLE "favourites" (
	"user_id" text NOT NULL,
	"melody_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "favourites_user_id_melody_id_pk" PRIMARY KEY("user_id","melody_id")
);
--> statement-breakpoint
CREATE TABLE "todays_melodies" (
	"user_id" text NOT NULL,
	"melody_id" integer NOT NULL,
	"place" integer NOT NULL,
	"times" integer NOT NULL,
	CONSTRAINT "todays_melodies_user_id_melody_id_pk" PRIMARY KEY("user_id","melody_id"),
	CONSTRAINT "todays_melodies_times" CHECK ("todays_melodies"."times" between 1 and 108)
);
--> statement-breakpoint
ALTER TABLE "favourites" ADD CONSTRAINT "favourites_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "favourites" ADD CONSTRAINT "favourites_melody_id_melodies_id_fk" FOREIGN KEY ("melody_id") REFERENCES "public"."melodies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "todays_melodies" ADD CONSTRAINT "todays_melodies_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "todays_melodies" ADD CONSTRAINT "todays_melodies_melody_id_melodies_id_fk" FOREIGN KEY ("melody_id") REFERENCES "public"."melodies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "favourites_melody" ON "favourites" USING btree ("melody_id");--> statement-breakpoint
CREATE INDEX "todays_melodies_melody" ON "todays_melodies" USING btree ("melody_id");
--> statement-breakpoint
--> migration 1795446591221 practice_log
CREATE TABLE "added_practice" (
	"user_id" text NOT NULL,
	"client_id" uuid NOT NULL,
	"day" date NOT NULL,
	CONSTRAINT "added_practice_user_id_client_id_pk" PRIMARY KEY("user_id","client_id")
);
--> statement-breakpoint
CREATE TABLE "practice_days" (
	"practised_melody_id" integer NOT NULL,
	"day" date NOT NULL,
	"seconds" integer NOT NULL,
	"times" integer NOT NULL,
	CONSTRAINT "practice_days_practised_melody_id_day_pk" PRIMARY KEY("practised_melody_id","day"),
	CONSTRAINT "practice_days_numbers" CHECK ("practice_days"."seconds" >= 0 and "practice_days"."times" >= 0)
);
--> statement-breakpoint
CREATE TABLE "practised_melodies" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"melody_id" integer,
	"title" text NOT NULL,
	"target" integer,
	"sung_before" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "practised_melodies_once" UNIQUE("user_id","melody_id"),
	CONSTRAINT "practised_melodies_target" CHECK ("practised_melodies"."target" > 0),
	CONSTRAINT "practised_melodies_sung_before" CHECK ("practised_melodies"."sung_before" >= 0)
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "keeps_practice_log" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "added_practice" ADD CONSTRAINT "added_practice_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practice_days" ADD CONSTRAINT "practice_days_practised_melody_id_practised_melodies_id_fk" FOREIGN KEY ("practised_melody_id") REFERENCES "public"."practised_melodies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practised_melodies" ADD CONSTRAINT "practised_melodies_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practised_melodies" ADD CONSTRAINT "practised_melodies_melody_id_melodies_id_fk" FOREIGN KEY ("melody_id") REFERENCES "public"."melodies"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "added_practice_day" ON "added_practice" USING btree ("user_id","day");--> statement-breakpoint
CREATE INDEX "practised_melodies_melody" ON "practised_melodies" USING btree ("melody_id");
--> statement-breakpoint
--> migration 1795450035445 people
ALTER TABLE "audit_log" ADD COLUMN "batch" uuid;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "client_id" uuid;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "client_id" uuid;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "last_sign_in_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "dismissed_first_steps" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "audit_log_batch" ON "audit_log" USING btree ("batch","id") WHERE "audit_log"."batch" is not null;--> statement-breakpoint
-- As far as the devices tell that are still known.
UPDATE "users" SET "last_sign_in_at" = (SELECT max("seen_at") FROM "known_devices" WHERE "user_id" = "users"."id");--> statement-breakpoint
-- Whoever has melodies has taken the first steps.
UPDATE "users" SET "dismissed_first_steps" = true WHERE "role" = 'admin' AND EXISTS (SELECT FROM "melodies");
--> statement-breakpoint
--> migration 1795450482129 melody_imports
ALTER TABLE "melodies" ADD COLUMN "import_id" uuid;--> statement-breakpoint
CREATE INDEX "melodies_import" ON "melodies" USING btree ("import_id") WHERE "melodies"."import_id" is not null;
--> statement-breakpoint
--> migration 1795462908982 answering
CREATE TABLE "held_feedback" (
	"recording_id" integer PRIMARY KEY NOT NULL,
	"admin_id" text NOT NULL,
	"client_id" uuid,
	"written_feedback" text,
	"marks" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"audio_feedback_url" text,
	"due_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "held_feedback_client_id_once" UNIQUE("admin_id","client_id")
);
--> statement-breakpoint
CREATE TABLE "recordings_put_aside" (
	"recording_id" integer NOT NULL,
	"admin_id" text NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "recordings_put_aside_recording_id_admin_id_pk" PRIMARY KEY("recording_id","admin_id")
);
--> statement-breakpoint
ALTER TABLE "held_feedback" ADD CONSTRAINT "held_feedback_recording_id_recordings_id_fk" FOREIGN KEY ("recording_id") REFERENCES "public"."recordings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "held_feedback" ADD CONSTRAINT "held_feedback_admin_id_users_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recordings_put_aside" ADD CONSTRAINT "recordings_put_aside_recording_id_recordings_id_fk" FOREIGN KEY ("recording_id") REFERENCES "public"."recordings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recordings_put_aside" ADD CONSTRAINT "recordings_put_aside_admin_id_users_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "held_feedback_due" ON "held_feedback" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "held_feedback_audio" ON "held_feedback" USING btree ("audio_feedback_url");--> statement-breakpoint
CREATE INDEX "recordings_put_aside_admin" ON "recordings_put_aside" USING btree ("admin_id");
--> statement-breakpoint
--> migration 1795488466370 mark_voices
CREATE TABLE "mark_voices" (
	"recording_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"audio_url" text NOT NULL,
	CONSTRAINT "mark_voices_recording_id_id_pk" PRIMARY KEY("recording_id","id"),
	CONSTRAINT "mark_voices_audio" UNIQUE("audio_url")
);
--> statement-breakpoint
ALTER TABLE "mark_voices" ADD CONSTRAINT "mark_voices_recording_id_recordings_id_fk" FOREIGN KEY ("recording_id") REFERENCES "public"."recordings"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
--> migration 1795492353007 phrases
CREATE TABLE "phrases" (
	"id" serial PRIMARY KEY NOT NULL,
	"admin_id" text NOT NULL,
	"name" text NOT NULL,
	"text" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "phrases" ADD CONSTRAINT "phrases_admin_id_users_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "phrases_name_once" ON "phrases" USING btree ("admin_id",lower("name"));
--> statement-breakpoint
--> migration 1795495188032 lines_of_recordings
CREATE TABLE "line_jobs" (
	"id" serial PRIMARY KEY NOT NULL,
	"recording_id" integer NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT to_timestamp(0) NOT NULL,
	CONSTRAINT "line_jobs_recording_id_unique" UNIQUE("recording_id"),
	CONSTRAINT "line_jobs_attempts" CHECK ("line_jobs"."attempts" >= 0)
);
--> statement-breakpoint
CREATE TABLE "recording_lines" (
	"recording_id" integer PRIMARY KEY NOT NULL,
	"lines" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sound_features" (
	"name" text PRIMARY KEY NOT NULL,
	"features" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "line_jobs" ADD CONSTRAINT "line_jobs_recording_id_recordings_id_fk" FOREIGN KEY ("recording_id") REFERENCES "public"."recordings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recording_lines" ADD CONSTRAINT "recording_lines_recording_id_recordings_id_fk" FOREIGN KEY ("recording_id") REFERENCES "public"."recordings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sound_features" ADD CONSTRAINT "sound_features_name_media_files_name_fk" FOREIGN KEY ("name") REFERENCES "public"."media_files"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- Recordings from before, after those that come now: the newest is taken first.
INSERT INTO "line_jobs" ("recording_id")
SELECT "recordings"."id" FROM "recordings" JOIN "melodies" ON "melodies"."id" = "recordings"."melody_id"
WHERE "melodies"."audio_url" IS NOT NULL AND "melodies"."timings" IS NOT NULL
ORDER BY "recordings"."id";
--> statement-breakpoint
--> migration 1795495331300 teaching_notes
CREATE TABLE "teaching_notes" (
	"id" serial PRIMARY KEY NOT NULL,
	"melody_id" integer NOT NULL,
	"client_id" uuid NOT NULL,
	"line" integer NOT NULL,
	"position" integer NOT NULL,
	"text" text NOT NULL,
	"audio_url" text,
	CONSTRAINT "teaching_notes_client_id_unique" UNIQUE("client_id"),
	CONSTRAINT "teaching_notes_audio_url_unique" UNIQUE("audio_url"),
	CONSTRAINT "teaching_notes_say_something" CHECK ("teaching_notes"."text" <> '' or "teaching_notes"."audio_url" is not null)
);
--> statement-breakpoint
ALTER TABLE "teaching_notes" ADD CONSTRAINT "teaching_notes_melody_id_melodies_id_fk" FOREIGN KEY ("melody_id") REFERENCES "public"."melodies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "teaching_notes_melody" ON "teaching_notes" USING btree ("melody_id");
--> statement-breakpoint
--> migration 1795500861074 agreements
CREATE TABLE "agreements" (
	"id" serial PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"note_id" integer NOT NULL,
	"recording_id" integer NOT NULL,
	"admin_id" text NOT NULL,
	"start" double precision NOT NULL,
	"end" double precision NOT NULL,
	"wants_name" boolean NOT NULL,
	"state" text DEFAULT 'asked' NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"answered_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"signature" text,
	"name" text,
	"audio_url" text,
	CONSTRAINT "agreements_client_id_unique" UNIQUE("client_id"),
	CONSTRAINT "agreements_audio_url_unique" UNIQUE("audio_url"),
	CONSTRAINT "agreements_asked_once" UNIQUE("note_id","recording_id"),
	CONSTRAINT "agreements_state" CHECK ("agreements"."state" in ('asked', 'agreed', 'declined', 'revoked')),
	CONSTRAINT "agreements_file" CHECK (("agreements"."audio_url" is not null) = ("agreements"."state" = 'agreed')),
	CONSTRAINT "agreements_signature" CHECK (("agreements"."signature" is not null) = ("agreements"."state" in ('agreed', 'revoked'))),
	CONSTRAINT "agreements_passage" CHECK ("agreements"."start" >= 0 and "agreements"."start" < "agreements"."end")
);
--> statement-breakpoint
ALTER TABLE "agreements" ADD CONSTRAINT "agreements_note_id_teaching_notes_id_fk" FOREIGN KEY ("note_id") REFERENCES "public"."teaching_notes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agreements" ADD CONSTRAINT "agreements_recording_id_recordings_id_fk" FOREIGN KEY ("recording_id") REFERENCES "public"."recordings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agreements" ADD CONSTRAINT "agreements_admin_id_users_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "agreements_one_of_note" ON "agreements" USING btree ("note_id") WHERE "agreements"."state" in ('asked', 'agreed');--> statement-breakpoint
CREATE INDEX "agreements_recording" ON "agreements" USING btree ("recording_id");--> statement-breakpoint
CREATE INDEX "agreements_admin" ON "agreements" USING btree ("admin_id");
--> statement-breakpoint
--> migration 1795547299066 sessions_list
ALTER TABLE "sessions" ADD COLUMN "id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "created_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "device" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "address" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "proved_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "code_shown_by" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_id_unique" UNIQUE("id");--> statement-breakpoint
UPDATE "sessions" SET "seen_at" = "expire" - interval '30 days';
--> statement-breakpoint
--> migration 1795548537636 code_sign_ins
CREATE TABLE "code_sign_ins" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"shown_by" text NOT NULL,
	"device" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "code_sign_ins" ADD CONSTRAINT "code_sign_ins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "code_sign_ins_user" ON "code_sign_ins" USING btree ("user_id");
--> statement-breakpoint
--> migration 1795549620868 attempts_by_network
DROP INDEX "attempts_address";--> statement-breakpoint
CREATE INDEX "attempts_network" ON "attempts" USING btree ("kind",regexp_replace("address", ':[^:]*::/64$', '::/48'),"at");
--> statement-breakpoint
--> migration 1795552073581 backup_notices
ALTER TABLE "installation" ADD COLUMN "backups" jsonb;--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "dismissed_at" timestamp (3) with time zone;
--> statement-breakpoint
--> migration 1795553086738 issued_passwords
ALTER TABLE "users" ADD COLUMN "password_issued_at" timestamp (3) with time zone;--> statement-breakpoint
-- Who has never signed in, as far as is known, has as long as with a password that is issued today.
UPDATE "users" SET "password_issued_at" = now() WHERE "role" = 'student' AND "suggest_own_password" AND "last_sign_in_at" IS NULL AND NOT EXISTS (SELECT FROM "sessions" WHERE "sess" ->> 'userId' = "users"."id") AND NOT EXISTS (SELECT FROM "recordings" WHERE "student_id" = "users"."id");
