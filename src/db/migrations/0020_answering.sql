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