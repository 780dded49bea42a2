ALTER TABLE "melodies" ADD COLUMN "import_id" uuid;--> statement-breakpoint
CREATE INDEX "melodies_import" ON "melodies" USING btree ("import_id") WHERE "melodies"."import_id" is not null;