CREATE TABLE "feedback_drafts" (
	"recording_id" integer NOT NULL,
	"admin_id" text NOT NULL,
	"text" text NOT NULL,
	"marks" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "feedback_drafts_recording_id_admin_id_pk" PRIMARY KEY("recording_id","admin_id")
);
--> statement-breakpoint
CREATE TABLE "upload_pieces" (
	"owner_id" text NOT NULL,
	"client_id" uuid NOT NULL,
	"start" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "upload_pieces_owner_id_client_id_start_pk" PRIMARY KEY("owner_id","client_id","start")
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"owner_id" text NOT NULL,
	"client_id" uuid NOT NULL,
	"size" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "uploads_owner_id_client_id_pk" PRIMARY KEY("owner_id","client_id"),
	CONSTRAINT "uploads_size" CHECK ("uploads"."size" > 0)
);
--> statement-breakpoint
ALTER TABLE "feedback" ADD COLUMN "marks" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "wants_news_mail" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "feedback_drafts" ADD CONSTRAINT "feedback_drafts_recording_id_recordings_id_fk" FOREIGN KEY ("recording_id") REFERENCES "public"."recordings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feedback_drafts" ADD CONSTRAINT "feedback_drafts_admin_id_users_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload_pieces" ADD CONSTRAINT "upload_pieces_owner_id_client_id_uploads_owner_id_client_id_fk" FOREIGN KEY ("owner_id","client_id") REFERENCES "public"."uploads"("owner_id","client_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "feedback_drafts_admin" ON "feedback_drafts" USING btree ("admin_id");--> statement-breakpoint
CREATE INDEX "uploads_created" ON "uploads" USING btree ("created_at");