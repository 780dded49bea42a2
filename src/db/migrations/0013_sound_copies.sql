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
