--> migration 1795312372196 safe_keeping
CREATE TABLE "installation" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "installation_is_only" CHECK ("installation"."is_only")
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"kind" text PRIMARY KEY NOT NULL,
	"detail" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"since" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "media_files" ADD COLUMN "checked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "media_files" ADD COLUMN "damage" text;--> statement-breakpoint
CREATE INDEX "media_files_checked" ON "media_files" USING btree ("checked_at" NULLS FIRST,"name");--> statement-breakpoint
CREATE INDEX "media_files_damaged" ON "media_files" USING btree ("name") WHERE "media_files"."damage" is not null;
--> statement-breakpoint
--> migration 1795316520829 melody_search
ALTER TABLE "melodies" ADD COLUMN "folded_title" text;--> statement-breakpoint
ALTER TABLE "melodies" ADD COLUMN "folded_text" text;--> statement-breakpoint
ALTER TABLE "melodies" ADD COLUMN "folded_grams" integer[];--> statement-breakpoint
ALTER TABLE "recordings" ADD COLUMN "folded_title" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "folded_name" text;--> statement-breakpoint
CREATE INDEX "melodies_search" ON "melodies" USING gin ("folded_grams");--> statement-breakpoint
ALTER TABLE "melodies" DROP COLUMN "search_text";
--> statement-breakpoint
--> migration 1795340224865 upload_slots
ALTER TABLE "melodies" ADD COLUMN "client_id" uuid;--> statement-breakpoint
ALTER TABLE "melodies" ADD COLUMN "change_id" uuid;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "slot" text;--> statement-breakpoint
-- What is under way came before melodies did: a student's recording, or a teacher's spoken reply.
UPDATE "uploads" SET "slot" = CASE "users"."role" WHEN 'admin' THEN 'feedback-audio' ELSE 'recording-audio' END FROM "users" WHERE "users"."id" = "uploads"."owner_id";--> statement-breakpoint
ALTER TABLE "uploads" ALTER COLUMN "slot" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "melodies" ADD CONSTRAINT "melodies_client_id_once" UNIQUE("created_by","client_id");
--> statement-breakpoint
--> migration 1795344391529 draft_revisions
ALTER TABLE "feedback_drafts" ADD COLUMN "revision" uuid DEFAULT gen_random_uuid() NOT NULL;
--> statement-breakpoint
--> migration 1795376159997 library_version
CREATE TABLE "library" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"version" uuid DEFAULT gen_random_uuid() NOT NULL,
	CONSTRAINT "library_is_only" CHECK ("library"."is_only")
);
--> statement-breakpoint
INSERT INTO "library" DEFAULT VALUES;--> statement-breakpoint
CREATE FUNCTION "renew_library_version"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "library" SET "version" = gen_random_uuid();
  RETURN NULL;
END $$;--> statement-breakpoint
-- Deferred: the row that everyone reads is locked at the end of a transaction, not for its whole length.
CREATE CONSTRAINT TRIGGER "melodies_renew_library" AFTER INSERT OR UPDATE OR DELETE ON "melodies"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "renew_library_version"();--> statement-breakpoint
CREATE TRIGGER "melodies_renew_library_if_emptied" AFTER TRUNCATE ON "melodies"
  FOR EACH STATEMENT EXECUTE FUNCTION "renew_library_version"();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "transmission_levels_renew_library" AFTER INSERT OR UPDATE OR DELETE ON "transmission_levels"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "renew_library_version"();
--> statement-breakpoint
--> migration 1795378257836 upload_files
-- The bytes of unfinished uploads go: their devices still have them, are told that none has arrived, and send them again.
DROP TABLE "upload_pieces" CASCADE;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "received" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "file" text DEFAULT gen_random_uuid()::text NOT NULL;--> statement-breakpoint
CREATE INDEX "uploads_file" ON "uploads" USING btree ("file");--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_received" CHECK ("uploads"."received" between 0 and "uploads"."size");
--> statement-breakpoint
--> migration 1795381309956 lists_by_page
DROP INDEX "recordings_student_newest";--> statement-breakpoint
DROP INDEX "registration_requests_status";--> statement-breakpoint
CREATE INDEX "mails_outbox" ON "mails" USING btree ("id") WHERE "mails"."outbox_file" is not null;--> statement-breakpoint
CREATE INDEX "recordings_attempts" ON "recordings" USING btree ("student_id","melody_id","id");--> statement-breakpoint
CREATE INDEX "registration_requests_newest" ON "registration_requests" USING btree ("requested_at","id");--> statement-breakpoint
CREATE INDEX "registration_requests_approved" ON "registration_requests" USING btree ("processed_at" DESC NULLS LAST) WHERE "registration_requests"."status" = 'approved';--> statement-breakpoint
CREATE INDEX "users_by_name" ON "users" USING btree (lower(coalesce(nullif(trim(coalesce("first_name", '') || ' ' || coalesce("last_name", '')), ''), "username")),"id");--> statement-breakpoint
CREATE INDEX "recordings_student_newest" ON "recordings" USING btree ("student_id","id","status");--> statement-breakpoint
CREATE INDEX "registration_requests_status" ON "registration_requests" USING btree ("status","requested_at","id");
--> statement-breakpoint
--> migration 1795403569773 news_links
ALTER TABLE "mails" ADD COLUMN "unsubscribe_url" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "news_token" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_news_token_unique" UNIQUE("news_token");
--> statement-breakpoint
--> migration 1795408824877 users_grams
ALTER TABLE "users" ADD COLUMN "folded_grams" integer[];--> statement-breakpoint
CREATE INDEX "users_search" ON "users" USING gin ("folded_grams");
