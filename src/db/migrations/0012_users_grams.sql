ALTER TABLE "users" ADD COLUMN "folded_grams" integer[];--> statement-breakpoint
CREATE INDEX "users_search" ON "users" USING gin ("folded_grams");