CREATE TABLE "favourites" (
	"user_id" text NOT NULL,
	"melody_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "favourites_user_id_melody_id_pk" PRIMARY KEY("user_id","melody_id")
);
--> statement-breakpoint
CREATE TABLE "todays_melodies" (
	"user_id" text NOT NULL,
	"melody_id" integer NOT NULL,
	"place" integer NOT NULL,
	"times" integer NOT NULL,
	CONSTRAINT "todays_melodies_user_id_melody_id_pk" PRIMARY KEY("user_id","melody_id"),
	CONSTRAINT "todays_melodies_times" CHECK ("todays_melodies"."times" between 1 and 108)
);
--> statement-breakpoint
ALTER TABLE "favourites" ADD CONSTRAINT "favourites_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "favourites" ADD CONSTRAINT "favourites_melody_id_melodies_id_fk" FOREIGN KEY ("melody_id") REFERENCES "public"."melodies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "todays_melodies" ADD CONSTRAINT "todays_melodies_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "todays_melodies" ADD CONSTRAINT "todays_melodies_melody_id_melodies_id_fk" FOREIGN KEY ("melody_id") REFERENCES "public"."melodies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "favourites_melody" ON "favourites" USING btree ("melody_id");--> statement-breakpoint
CREATE INDEX "todays_melodies_melody" ON "todays_melodies" USING btree ("melody_id");