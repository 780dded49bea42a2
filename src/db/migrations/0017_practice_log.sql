CREATE TABLE "added_practice" (
	"user_id" text NOT NULL,
	"client_id" uuid NOT NULL,
	"day" date NOT NULL,
	CONSTRAINT "added_practice_user_id_client_id_pk" PRIMARY KEY("user_id","client_id")
);
--> statement-breakpoint
CREATE TABLE "practice_days" (
	"practised_melody_id" integer NOT NULL,
	"day" date NOT NULL,
	"seconds" integer NOT NULL,
	"times" integer NOT NULL,
	CONSTRAINT "practice_days_practised_melody_id_day_pk" PRIMARY KEY("practised_melody_id","day"),
	CONSTRAINT "practice_days_numbers" CHECK ("practice_days"."seconds" >= 0 and "practice_days"."times" >= 0)
);
--> statement-breakpoint
CREATE TABLE "practised_melodies" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"melody_id" integer,
	"title" text NOT NULL,
	"target" integer,
	"sung_before" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "practised_melodies_once" UNIQUE("user_id","melody_id"),
	CONSTRAINT "practised_melodies_target" CHECK ("practised_melodies"."target" > 0),
	CONSTRAINT "practised_melodies_sung_before" CHECK ("practised_melodies"."sung_before" >= 0)
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "keeps_practice_log" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "added_practice" ADD CONSTRAINT "added_practice_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practice_days" ADD CONSTRAINT "practice_days_practised_melody_id_practised_melodies_id_fk" FOREIGN KEY ("practised_melody_id") REFERENCES "public"."practised_melodies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practised_melodies" ADD CONSTRAINT "practised_melodies_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practised_melodies" ADD CONSTRAINT "practised_melodies_melody_id_melodies_id_fk" FOREIGN KEY ("melody_id") REFERENCES "public"."melodies"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "added_practice_day" ON "added_practice" USING btree ("user_id","day");--> statement-breakpoint
CREATE INDEX "practised_melodies_melody" ON "practised_melodies" USING btree ("melody_id");