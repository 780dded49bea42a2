CREATE TABLE "installation" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "installation_is_only" CHECK ("installation"."is_only")
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"kind" text PRIMARY KEY NOT NULL,
	"detail" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"since" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "media_files" ADD COLUMN "checked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "media_files" ADD COLUMN "damage" text;--> statement-breakpoint
CREATE INDEX "media_files_checked" ON "media_files" USING btree ("checked_at" NULLS FIRST,"name");--> statement-breakpoint
CREATE INDEX "media_files_damaged" ON "media_files" USING btree ("name") WHERE "media_files"."damage" is not null;