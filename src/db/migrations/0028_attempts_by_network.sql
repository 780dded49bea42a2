DROP INDEX "attempts_address";--> statement-breakpoint
CREATE INDEX "attempts_network" ON "attempts" USING btree ("kind",regexp_replace("address", ':[^:]*::/64$', '::/48'),"at");