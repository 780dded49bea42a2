CREATE TABLE "library" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"version" uuid DEFAULT gen_random_uuid() NOT NULL,
	CONSTRAINT "library_is_only" CHECK ("library"."is_only")
);
--> statement-breakpoint
INSERT INTO "library" DEFAULT VALUES;--> statement-breakpoint
CREATE FUNCTION "renew_library_version"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "library" SET "version" = gen_random_uuid();
  RETURN NULL;
END $$;--> statement-breakpoint
-- Deferred: the row that everyone reads is locked at the end of a transaction, not for its whole length.
CREATE CONSTRAINT TRIGGER "melodies_renew_library" AFTER INSERT OR UPDATE OR DELETE ON "melodies"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "renew_library_version"();--> statement-breakpoint
CREATE TRIGGER "melodies_renew_library_if_emptied" AFTER TRUNCATE ON "melodies"
  FOR EACH STATEMENT EXECUTE FUNCTION "renew_library_version"();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "transmission_levels_renew_library" AFTER INSERT OR UPDATE OR DELETE ON "transmission_levels"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "renew_library_version"();
