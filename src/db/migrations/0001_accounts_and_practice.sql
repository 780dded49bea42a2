CREATE TABLE "audit_log" (
	"id" serial PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"actor_id" text,
	"actor_name" text NOT NULL,
	"action" text NOT NULL,
	"subject_name" text NOT NULL,
	"detail" text
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"user_id" text NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"text" text,
	"html" text,
	"status" text DEFAULT 'queued' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_error" text,
	"outbox_file" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "mails_status" CHECK ("mails"."status" in ('queued', 'delivered', 'undeliverable')),
	CONSTRAINT "mails_says_something_or_is_settled" CHECK (("mails"."text" is not null) = ("mails"."status" = 'queued'))
);
--> statement-breakpoint
ALTER TABLE "media_files" ADD COLUMN "seeks_exactly" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "melodies" ADD COLUMN "playback_url" text;--> statement-breakpoint
ALTER TABLE "melodies" ADD COLUMN "timings" jsonb;--> statement-breakpoint
ALTER TABLE "melodies" ADD COLUMN "search_text" text GENERATED ALWAYS AS (regexp_replace(normalize(lower(coalesce(title, '') || ' ' || coalesce(description, '') || ' ' || coalesce(melody_text, '')), NFD), '[\u0300-\u036f]', '', 'g')) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "suggest_own_password" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("actor_id");--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("due_at","id") WHERE "mails"."status" = 'queued';--> statement-breakpoint
CREATE INDEX "mails_user" ON "mails" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "mails_status" ON "mails" USING btree ("status","settled_at");--> statement-breakpoint
CREATE INDEX "melodies_playback" ON "melodies" USING btree ("playback_url");