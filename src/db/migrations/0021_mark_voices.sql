CREATE TABLE "mark_voices" (
	"recording_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"audio_url" text NOT NULL,
	CONSTRAINT "mark_voices_recording_id_id_pk" PRIMARY KEY("recording_id","id"),
	CONSTRAINT "mark_voices_audio" UNIQUE("audio_url")
);
--> statement-breakpoint
ALTER TABLE "mark_voices" ADD CONSTRAINT "mark_voices_recording_id_recordings_id_fk" FOREIGN KEY ("recording_id") REFERENCES "public"."recordings"("id") ON DELETE cascade ON UPDATE no action;