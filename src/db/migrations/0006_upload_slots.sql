ALTER TABLE "melodies" ADD COLUMN "client_id" uuid;--> statement-breakpoint
ALTER TABLE "melodies" ADD COLUMN "change_id" uuid;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "slot" text;--> statement-breakpoint
-- What is under way came before melodies did: a student's recording, or a teacher's spoken reply.
UPDATE "uploads" SET "slot" = CASE "users"."role" WHEN 'admin' THEN 'feedback-audio' ELSE 'recording-audio' END FROM "users" WHERE "users"."id" = "uploads"."owner_id";--> statement-breakpoint
ALTER TABLE "uploads" ALTER COLUMN "slot" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "melodies" ADD CONSTRAINT "melodies_client_id_once" UNIQUE("created_by","client_id");
