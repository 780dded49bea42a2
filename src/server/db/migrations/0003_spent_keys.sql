CREATE TABLE "spent_keys" (
	"owner_id" text NOT NULL,
	"client_id" uuid NOT NULL,
	CONSTRAINT "spent_keys_owner_id_client_id_pk" PRIMARY KEY("owner_id","client_id")
);
