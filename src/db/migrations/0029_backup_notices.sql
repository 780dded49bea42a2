ALTER TABLE "installation" ADD COLUMN "backups" jsonb;--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "dismissed_at" timestamp (3) with time zone;