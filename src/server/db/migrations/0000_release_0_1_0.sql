CREATE TABLE "attempts" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"address" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "categories" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "categories_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "feedback" (
	"id" serial PRIMARY KEY NOT NULL,
	"recording_id" integer NOT NULL,
	"written_feedback" text,
	"audio_feedback_url" text,
	"admin_id" text NOT NULL,
	"client_id" uuid,
	"status" text DEFAULT 'unread' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"corrected_at" timestamp (3) with time zone,
	"marks" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "feedback_one_for_each_recording" UNIQUE("recording_id"),
	CONSTRAINT "feedback_client_id_once" UNIQUE("admin_id","client_id"),
	CONSTRAINT "feedback_status" CHECK ("feedback"."status" in ('unread', 'read', 'integrated')),
	CONSTRAINT "feedback_says_something" CHECK ("feedback"."written_feedback" is not null or "feedback"."audio_feedback_url" is not null)
);
--> statement-breakpoint
CREATE TABLE "feedback_drafts" (
	"recording_id" integer NOT NULL,
	"admin_id" text NOT NULL,
	"text" text NOT NULL,
	"marks" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "feedback_drafts_recording_id_admin_id_pk" PRIMARY KEY("recording_id","admin_id")
);
--> statement-breakpoint
CREATE TABLE "known_devices" (
	"device" text NOT NULL,
	"user_id" text NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "known_devices_user_id_device_pk" PRIMARY KEY("user_id","device")
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
CREATE TABLE "media_files" (
	"name" text PRIMARY KEY NOT NULL,
	"slot" text NOT NULL,
	"content_type" text NOT NULL,
	"size" integer NOT NULL,
	"sha256" text NOT NULL,
	"duration_ms" integer,
	"peaks" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"seeks_exactly" boolean DEFAULT true NOT NULL,
	CONSTRAINT "media_files_size" CHECK ("media_files"."size" > 0)
);
--> statement-breakpoint
CREATE TABLE "melodies" (
	"id" serial PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"transmission_level_id" integer NOT NULL,
	"vimeo_url" text,
	"audio_url" text,
	"thumbnail_url" text,
	"melody_text" text,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"playback_url" text,
	"timings" jsonb,
	"search_text" text GENERATED ALWAYS AS (regexp_replace(normalize(lower(coalesce(title, '') || ' ' || coalesce(description, '') || ' ' || coalesce(melody_text, '')), NFD), '[\u0300-\u036f]', '', 'g')) STORED NOT NULL
);
--> statement-breakpoint
CREATE TABLE "password_reset_tokens" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"token" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "password_reset_tokens_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "recordings" (
	"id" serial PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"message" text,
	"audio_url" text NOT NULL,
	"duration" integer NOT NULL,
	"student_id" text NOT NULL,
	"melody_id" integer,
	"client_id" uuid,
	"status" text DEFAULT 'pending' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "recordings_client_id_once" UNIQUE("student_id","client_id"),
	CONSTRAINT "recordings_status" CHECK ("recordings"."status" in ('pending', 'reviewed')),
	CONSTRAINT "recordings_duration" CHECK ("recordings"."duration" >= 1)
);
--> statement-breakpoint
CREATE TABLE "registration_requests" (
	"id" serial PRIMARY KEY NOT NULL,
	"full_name" text NOT NULL,
	"email" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"requested_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"processed_at" timestamp (3) with time zone,
	"processed_by" text
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"sid" text PRIMARY KEY NOT NULL,
	"sess" jsonb NOT NULL,
	"expire" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transmission_levels" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" varchar(100) NOT NULL,
	"description" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "transmission_levels_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "upload_pieces" (
	"owner_id" text NOT NULL,
	"client_id" uuid NOT NULL,
	"start" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "upload_pieces_owner_id_client_id_start_pk" PRIMARY KEY("owner_id","client_id","start")
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"owner_id" text NOT NULL,
	"client_id" uuid NOT NULL,
	"size" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"grown_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "uploads_owner_id_client_id_pk" PRIMARY KEY("owner_id","client_id"),
	CONSTRAINT "uploads_size" CHECK ("uploads"."size" > 0)
);
--> statement-breakpoint
CREATE TABLE "user_transmission_access" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"transmission_level_id" integer NOT NULL,
	"granted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"granted_by" text NOT NULL,
	CONSTRAINT "user_transmission_access_once" UNIQUE("user_id","transmission_level_id")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY DEFAULT gen_random_uuid()::text NOT NULL,
	"email" text NOT NULL,
	"first_name" text,
	"last_name" text,
	"username" text NOT NULL,
	"password" text NOT NULL,
	"profile_image_url" text,
	"role" text DEFAULT 'student' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"suggest_own_password" boolean DEFAULT false NOT NULL,
	"wants_news_mail" boolean DEFAULT true NOT NULL,
	CONSTRAINT "users_role" CHECK ("users"."role" in ('admin', 'student'))
);
--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_recording_id_recordings_id_fk" FOREIGN KEY ("recording_id") REFERENCES "public"."recordings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_admin_id_users_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feedback_drafts" ADD CONSTRAINT "feedback_drafts_recording_id_recordings_id_fk" FOREIGN KEY ("recording_id") REFERENCES "public"."recordings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feedback_drafts" ADD CONSTRAINT "feedback_drafts_admin_id_users_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "known_devices" ADD CONSTRAINT "known_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "melodies" ADD CONSTRAINT "melodies_transmission_level_id_transmission_levels_id_fk" FOREIGN KEY ("transmission_level_id") REFERENCES "public"."transmission_levels"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "melodies" ADD CONSTRAINT "melodies_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_reset_tokens" ADD CONSTRAINT "password_reset_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recordings" ADD CONSTRAINT "recordings_student_id_users_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recordings" ADD CONSTRAINT "recordings_melody_id_melodies_id_fk" FOREIGN KEY ("melody_id") REFERENCES "public"."melodies"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registration_requests" ADD CONSTRAINT "registration_requests_processed_by_users_id_fk" FOREIGN KEY ("processed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload_pieces" ADD CONSTRAINT "upload_pieces_owner_id_client_id_uploads_owner_id_client_id_fk" FOREIGN KEY ("owner_id","client_id") REFERENCES "public"."uploads"("owner_id","client_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_transmission_access" ADD CONSTRAINT "user_transmission_access_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_transmission_access" ADD CONSTRAINT "user_transmission_access_transmission_level_id_transmission_levels_id_fk" FOREIGN KEY ("transmission_level_id") REFERENCES "public"."transmission_levels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_transmission_access" ADD CONSTRAINT "user_transmission_access_granted_by_users_id_fk" FOREIGN KEY ("granted_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attempts_subject" ON "attempts" USING btree ("kind","subject","at");--> statement-breakpoint
CREATE INDEX "attempts_address" ON "attempts" USING btree ("kind","address","at");--> statement-breakpoint
CREATE INDEX "attempts_at" ON "attempts" USING btree ("at");--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("actor_id");--> statement-breakpoint
CREATE INDEX "feedback_audio" ON "feedback" USING btree ("audio_feedback_url");--> statement-breakpoint
CREATE INDEX "feedback_drafts_admin" ON "feedback_drafts" USING btree ("admin_id");--> statement-breakpoint
CREATE INDEX "known_devices_device" ON "known_devices" USING btree ("device");--> statement-breakpoint
CREATE INDEX "known_devices_seen" ON "known_devices" USING btree ("seen_at");--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("due_at","id") WHERE "mails"."status" = 'queued';--> statement-breakpoint
CREATE INDEX "mails_user" ON "mails" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "mails_status" ON "mails" USING btree ("status","settled_at");--> statement-breakpoint
CREATE INDEX "melodies_level" ON "melodies" USING btree ("transmission_level_id");--> statement-breakpoint
CREATE INDEX "melodies_newest" ON "melodies" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "melodies_audio" ON "melodies" USING btree ("audio_url");--> statement-breakpoint
CREATE INDEX "melodies_thumbnail" ON "melodies" USING btree ("thumbnail_url");--> statement-breakpoint
CREATE INDEX "melodies_created_by" ON "melodies" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "melodies_playback" ON "melodies" USING btree ("playback_url");--> statement-breakpoint
CREATE INDEX "password_reset_tokens_user" ON "password_reset_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "recordings_student_newest" ON "recordings" USING btree ("student_id","id");--> statement-breakpoint
CREATE INDEX "recordings_pending" ON "recordings" USING btree ("created_at","id") WHERE "recordings"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "recordings_melody" ON "recordings" USING btree ("melody_id");--> statement-breakpoint
CREATE INDEX "recordings_audio" ON "recordings" USING btree ("audio_url");--> statement-breakpoint
CREATE UNIQUE INDEX "registration_requests_one_pending" ON "registration_requests" USING btree (lower("email")) WHERE "registration_requests"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "registration_requests_status" ON "registration_requests" USING btree ("status","requested_at");--> statement-breakpoint
CREATE INDEX "sessions_expire" ON "sessions" USING btree ("expire");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree (("sess" ->> 'userId'));--> statement-breakpoint
CREATE INDEX "uploads_created" ON "uploads" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "user_transmission_access_level" ON "user_transmission_access" USING btree ("transmission_level_id");--> statement-breakpoint
CREATE INDEX "user_transmission_access_granted_by" ON "user_transmission_access" USING btree ("granted_by");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_unique" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX "users_username_unique" ON "users" USING btree (lower("username"));
