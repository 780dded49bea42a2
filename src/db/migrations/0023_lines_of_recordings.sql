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
