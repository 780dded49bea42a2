-- The bytes of unfinished uploads go: their devices still have them, are told that none has arrived, and send them again.
ALTER TABLE "upload_pieces" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "upload_pieces" CASCADE;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "received" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "file" text DEFAULT gen_random_uuid()::text NOT NULL;--> statement-breakpoint
CREATE INDEX "uploads_file" ON "uploads" USING btree ("file");--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_received" CHECK ("uploads"."received" between 0 and "uploads"."size");