DROP INDEX "recordings_student_newest";--> statement-breakpoint
DROP INDEX "registration_requests_status";--> statement-breakpoint
CREATE INDEX "mails_outbox" ON "mails" USING btree ("id") WHERE "mails"."outbox_file" is not null;--> statement-breakpoint
CREATE INDEX "recordings_attempts" ON "recordings" USING btree ("student_id","melody_id","id");--> statement-breakpoint
CREATE INDEX "registration_requests_newest" ON "registration_requests" USING btree ("requested_at","id");--> statement-breakpoint
CREATE INDEX "registration_requests_approved" ON "registration_requests" USING btree ("processed_at" DESC NULLS LAST) WHERE "registration_requests"."status" = 'approved';--> statement-breakpoint
CREATE INDEX "users_by_name" ON "users" USING btree (lower(coalesce(nullif(trim(coalesce("first_name", '') || ' ' || coalesce("last_name", '')), ''), "username")),"id");--> statement-breakpoint
CREATE INDEX "recordings_student_newest" ON "recordings" USING btree ("student_id","id","status");--> statement-breakpoint
CREATE INDEX "registration_requests_status" ON "registration_requests" USING btree ("status","requested_at","id");