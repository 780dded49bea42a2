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