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
