ALTER TABLE "users" ADD COLUMN "password_issued_at" timestamp (3) with time zone;--> statement-breakpoint
-- Who has never signed in, as far as is known, has as long as with a password that is issued today.
UPDATE "users" SET "password_issued_at" = now() WHERE "role" = 'student' AND "suggest_own_password" AND "last_sign_in_at" IS NULL AND NOT EXISTS (SELECT FROM "sessions" WHERE "sess" ->> 'userId' = "users"."id") AND NOT EXISTS (SELECT FROM "recordings" WHERE "student_id" = "users"."id");
