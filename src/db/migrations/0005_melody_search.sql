ALTER TABLE "melodies" ADD COLUMN "folded_title" text;--> statement-breakpoint
ALTER TABLE "melodies" ADD COLUMN "folded_text" text;--> statement-breakpoint
ALTER TABLE "melodies" ADD COLUMN "folded_grams" integer[];--> statement-breakpoint
ALTER TABLE "recordings" ADD COLUMN "folded_title" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "folded_name" text;--> statement-breakpoint
CREATE INDEX "melodies_search" ON "melodies" USING gin ("folded_grams");--> statement-breakpoint
ALTER TABLE "melodies" DROP COLUMN "search_text";