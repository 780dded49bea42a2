CREATE TABLE "teaching_notes" (
	"id" serial PRIMARY KEY NOT NULL,
	"melody_id" integer NOT NULL,
	"client_id" uuid NOT NULL,
	"line" integer NOT NULL,
	"position" integer NOT NULL,
	"text" text NOT NULL,
	"audio_url" text,
	CONSTRAINT "teaching_notes_client_id_unique" UNIQUE("client_id"),
	CONSTRAINT "teaching_notes_audio_url_unique" UNIQUE("audio_url"),
	CONSTRAINT "teaching_notes_say_something" CHECK ("teaching_notes"."text" <> '' or "teaching_notes"."audio_url" is not null)
);
--> statement-breakpoint
ALTER TABLE "teaching_notes" ADD CONSTRAINT "teaching_notes_melody_id_melodies_id_fk" FOREIGN KEY ("melody_id") REFERENCES "public"."melodies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "teaching_notes_melody" ON "teaching_notes" USING btree ("melody_id");