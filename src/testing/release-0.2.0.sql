SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE SCHEMA drizzle;

CREATE FUNCTION public.renew_library_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  UPDATE "library" SET "version" = gen_random_uuid();
  RETURN NULL;
END $$;

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE drizzle.__drizzle_migrations (
    id integer NOT NULL,
    hash text NOT NULL,
    created_at bigint
);

CREATE SEQUENCE drizzle.__drizzle_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE drizzle.__drizzle_migrations_id_seq OWNED BY drizzle.__drizzle_migrations.id;

CREATE TABLE public.attempts (
    id integer NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    address text NOT NULL,
    at timestamp(3) with time zone DEFAULT now() NOT NULL
);

CREATE SEQUENCE public.attempts_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.attempts_id_seq OWNED BY public.attempts.id;

CREATE TABLE public.audit_log (
    id integer NOT NULL,
    at timestamp(3) with time zone DEFAULT now() NOT NULL,
    actor_id text,
    actor_name text NOT NULL,
    action text NOT NULL,
    subject_name text NOT NULL,
    detail text
);

CREATE SEQUENCE public.audit_log_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.audit_log_id_seq OWNED BY public.audit_log.id;

CREATE TABLE public.categories (
    id integer NOT NULL,
    name text NOT NULL,
    description text,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL
);

CREATE SEQUENCE public.categories_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.categories_id_seq OWNED BY public.categories.id;

CREATE TABLE public.feedback (
    id integer NOT NULL,
    recording_id integer NOT NULL,
    written_feedback text,
    audio_feedback_url text,
    admin_id text NOT NULL,
    client_id uuid,
    status text DEFAULT 'unread'::text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    corrected_at timestamp(3) with time zone,
    marks jsonb DEFAULT '[]'::jsonb NOT NULL,
    CONSTRAINT feedback_says_something CHECK (((written_feedback IS NOT NULL) OR (audio_feedback_url IS NOT NULL))),
    CONSTRAINT feedback_status CHECK ((status = ANY (ARRAY['unread'::text, 'read'::text, 'integrated'::text])))
);

CREATE TABLE public.feedback_drafts (
    recording_id integer NOT NULL,
    admin_id text NOT NULL,
    text text NOT NULL,
    marks jsonb DEFAULT '[]'::jsonb NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    revision uuid DEFAULT gen_random_uuid() NOT NULL
);

CREATE SEQUENCE public.feedback_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.feedback_id_seq OWNED BY public.feedback.id;

CREATE TABLE public.installation (
    is_only boolean DEFAULT true NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT installation_is_only CHECK (is_only)
);

CREATE TABLE public.known_devices (
    device text NOT NULL,
    user_id text NOT NULL,
    seen_at timestamp(3) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.library (
    is_only boolean DEFAULT true NOT NULL,
    version uuid DEFAULT gen_random_uuid() NOT NULL,
    CONSTRAINT library_is_only CHECK (is_only)
);

CREATE TABLE public.mails (
    id integer NOT NULL,
    kind text NOT NULL,
    user_id text NOT NULL,
    recipient text NOT NULL,
    subject text NOT NULL,
    text text,
    html text,
    status text DEFAULT 'queued'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    due_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    last_error text,
    outbox_file text,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    settled_at timestamp(3) with time zone,
    unsubscribe_url text,
    CONSTRAINT mails_says_something_or_is_settled CHECK (((text IS NOT NULL) = (status = 'queued'::text))),
    CONSTRAINT mails_status CHECK ((status = ANY (ARRAY['queued'::text, 'delivered'::text, 'undeliverable'::text])))
);

CREATE SEQUENCE public.mails_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.mails_id_seq OWNED BY public.mails.id;

CREATE TABLE public.media_files (
    name text NOT NULL,
    slot text NOT NULL,
    content_type text NOT NULL,
    size integer NOT NULL,
    sha256 text NOT NULL,
    duration_ms integer,
    peaks text,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    seeks_exactly boolean DEFAULT true NOT NULL,
    checked_at timestamp(3) with time zone,
    damage text,
    CONSTRAINT media_files_size CHECK ((size > 0))
);

CREATE TABLE public.melodies (
    id integer NOT NULL,
    title text NOT NULL,
    description text,
    transmission_level_id integer NOT NULL,
    vimeo_url text,
    audio_url text,
    thumbnail_url text,
    melody_text text,
    created_by text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    playback_url text,
    timings jsonb,
    folded_title text,
    folded_text text,
    folded_grams integer[],
    client_id uuid,
    change_id uuid
);

CREATE SEQUENCE public.melodies_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.melodies_id_seq OWNED BY public.melodies.id;

CREATE TABLE public.notices (
    kind text NOT NULL,
    detail jsonb DEFAULT '{}'::jsonb NOT NULL,
    since timestamp(3) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.password_reset_tokens (
    id integer NOT NULL,
    user_id text NOT NULL,
    token text NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    used boolean DEFAULT false NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL
);

CREATE SEQUENCE public.password_reset_tokens_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.password_reset_tokens_id_seq OWNED BY public.password_reset_tokens.id;

CREATE TABLE public.recordings (
    id integer NOT NULL,
    title text NOT NULL,
    message text,
    audio_url text NOT NULL,
    duration integer NOT NULL,
    student_id text NOT NULL,
    melody_id integer,
    client_id uuid,
    status text DEFAULT 'pending'::text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    folded_title text,
    CONSTRAINT recordings_duration CHECK ((duration >= 1)),
    CONSTRAINT recordings_status CHECK ((status = ANY (ARRAY['pending'::text, 'reviewed'::text])))
);

CREATE SEQUENCE public.recordings_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.recordings_id_seq OWNED BY public.recordings.id;

CREATE TABLE public.registration_requests (
    id integer NOT NULL,
    full_name text NOT NULL,
    email text NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    requested_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    processed_at timestamp(3) with time zone,
    processed_by text
);

CREATE SEQUENCE public.registration_requests_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.registration_requests_id_seq OWNED BY public.registration_requests.id;

CREATE TABLE public.sessions (
    sid text NOT NULL,
    sess jsonb NOT NULL,
    expire timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.transmission_levels (
    id integer NOT NULL,
    name character varying(100) NOT NULL,
    description text,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL
);

CREATE SEQUENCE public.transmission_levels_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.transmission_levels_id_seq OWNED BY public.transmission_levels.id;

CREATE TABLE public.uploads (
    owner_id text NOT NULL,
    client_id uuid NOT NULL,
    size integer NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    grown_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    slot text NOT NULL,
    received integer DEFAULT 0 NOT NULL,
    file text DEFAULT (gen_random_uuid())::text NOT NULL,
    CONSTRAINT uploads_received CHECK (((received >= 0) AND (received <= size))),
    CONSTRAINT uploads_size CHECK ((size > 0))
);

CREATE TABLE public.user_transmission_access (
    id integer NOT NULL,
    user_id text NOT NULL,
    transmission_level_id integer NOT NULL,
    granted_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    granted_by text NOT NULL
);

CREATE SEQUENCE public.user_transmission_access_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.user_transmission_access_id_seq OWNED BY public.user_transmission_access.id;

CREATE TABLE public.users (
    id text DEFAULT (gen_random_uuid())::text NOT NULL,
    email text NOT NULL,
    first_name text,
    last_name text,
    username text NOT NULL,
    password text NOT NULL,
    profile_image_url text,
    role text DEFAULT 'student'::text NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    suggest_own_password boolean DEFAULT false NOT NULL,
    wants_news_mail boolean DEFAULT true NOT NULL,
    folded_name text,
    news_token uuid DEFAULT gen_random_uuid() NOT NULL,
    folded_grams integer[],
    CONSTRAINT users_role CHECK ((role = ANY (ARRAY['admin'::text, 'student'::text])))
);

ALTER TABLE ONLY drizzle.__drizzle_migrations ALTER COLUMN id SET DEFAULT nextval('drizzle.__drizzle_migrations_id_seq'::regclass);

ALTER TABLE ONLY public.attempts ALTER COLUMN id SET DEFAULT nextval('public.attempts_id_seq'::regclass);

ALTER TABLE ONLY public.audit_log ALTER COLUMN id SET DEFAULT nextval('public.audit_log_id_seq'::regclass);

ALTER TABLE ONLY public.categories ALTER COLUMN id SET DEFAULT nextval('public.categories_id_seq'::regclass);

ALTER TABLE ONLY public.feedback ALTER COLUMN id SET DEFAULT nextval('public.feedback_id_seq'::regclass);

ALTER TABLE ONLY public.mails ALTER COLUMN id SET DEFAULT nextval('public.mails_id_seq'::regclass);

ALTER TABLE ONLY public.melodies ALTER COLUMN id SET DEFAULT nextval('public.melodies_id_seq'::regclass);

ALTER TABLE ONLY public.password_reset_tokens ALTER COLUMN id SET DEFAULT nextval('public.password_reset_tokens_id_seq'::regclass);

ALTER TABLE ONLY public.recordings ALTER COLUMN id SET DEFAULT nextval('public.recordings_id_seq'::regclass);

ALTER TABLE ONLY public.registration_requests ALTER COLUMN id SET DEFAULT nextval('public.registration_requests_id_seq'::regclass);

ALTER TABLE ONLY public.transmission_levels ALTER COLUMN id SET DEFAULT nextval('public.transmission_levels_id_seq'::regclass);

ALTER TABLE ONLY public.user_transmission_access ALTER COLUMN id SET DEFAULT nextval('public.user_transmission_access_id_seq'::regclass);

INSERT INTO drizzle.__drizzle_migrations VALUES
	(1, 'a37e0fc8ed81d8c44473aa8774e94879ec374ceb7c0c04f4dbed9bbc2c3f4a90', 1795214884709),
	(2, 'f4ef6372e926bbf14208140fea2464c879d055d2eb8c5d02259aa5b0b987f533', 1795248439875),
	(3, 'f62e195c5940e49779a9425d8ecc0c8b378e097ed97b60efa02302de7ff11dce', 1795248984462),
	(4, 'dbe8ea76da61697e29f310904f408bb7601feda0edaf37c12e68089139bab72d', 1795263970476),
	(5, '65783fb00fcc165436c2ba7e152ab64dcfcf49d9f42f868c226fafb515a02558', 1795312372196),
	(6, '2e23b630397715c02469f984ad632f0a480daa85e8f1e9e826fcec1ba02b5958', 1795316520829),
	(7, 'd670d850779ebf5fdef9189bbfbdb113c3b5b0efd7e1f90f3cd1378eb3ca4954', 1795340224865),
	(8, '590b7bcd3c08ceea753f0d49c0861416761c9cd56cfe3fdd7ce428b61d0aeab4', 1795344391529),
	(9, 'd4caf151e4e25a6de1db778764cb3554b9a2a3628303960cbc81410910aa0146', 1795376159997),
	(10, '6406728e8a7bd470aa9911e3d4b7f8ed4f849aade38063ac149de634cb9ee042', 1795378257836),
	(11, '4ac738114f38df66eba104ba9906e5d26c8fa6493c4bf499177215cfb4f30446', 1795381309956),
	(12, '9d3d409eecc4237ff32084510b74add7acbf033f315233437c0c6da1bdb31c7e', 1795403569773),
	(13, 'edff6a16050e150e40e2d197ba33c843012d5c0fb70468bf4f8f69473d860913', 1795408824877);

INSERT INTO public.audit_log VALUES
	(1, '2026-11-24 22:33:10.562+00', 'b5748375-53f4-432e-a198-45a31cae2ce1', 'khandro', 'level-added', 'Refuge', NULL),
	(2, '2026-11-24 22:33:10.847+00', 'b5748375-53f4-432e-a198-45a31cae2ce1', 'khandro', 'user-invited', 'Tashi Dolma', 'Refuge'),
	(3, '2026-11-24 22:33:11.054+00', 'b5748375-53f4-432e-a198-45a31cae2ce1', 'khandro', 'user-invited', 'Pema Lhamo', 'Refuge');

INSERT INTO public.feedback VALUES
	(1, 1, 'Lovely', NULL, 'b5748375-53f4-432e-a198-45a31cae2ce1', NULL, 'unread', '2026-11-24 22:33:15.788+00', NULL, '[]');

INSERT INTO public.installation VALUES
	(true, '7d806537-4c96-4349-95cb-1086f564b6d3', '2026-11-24 22:33:06.761+00');

INSERT INTO public.known_devices VALUES
	('0ff2033d73ec89262ae44c6d1f7e74dc44ec78ac0a011a7e8d5be93f8cac6b41', 'b5748375-53f4-432e-a198-45a31cae2ce1', '2026-11-24 22:33:10.277+00'),
	('ca62e62cd189e6c70c8e9da095e786de00da3eeed779db264eed7bdddc852458', 'b8a0fd7a-5aa1-4794-8725-0cce97b36fa7', '2026-11-24 22:33:11.376+00');

INSERT INTO public.library VALUES
	(true, 'af845155-458a-435c-a1ef-40d7d6d251dc');

INSERT INTO public.mails VALUES
	(1, 'credentials', 'b8a0fd7a-5aa1-4794-8725-0cce97b36fa7', 'tashi@example.org', 'Welcome to Yangchen: how to sign in', NULL, NULL, 'delivered', 1, '2026-11-24 22:36:10.925+00', NULL, '20261124T223310847Z-1.eml', '2026-11-24 22:33:10.847+00', '2026-11-24 22:33:11.05+00', NULL),
	(2, 'credentials', '676122bb-cd7c-4a31-9d87-cb32e8b196f5', 'pema@example.org', 'Welcome to Yangchen: how to sign in', NULL, NULL, 'delivered', 1, '2026-11-24 22:36:11.172+00', NULL, '20261124T223311054Z-2.eml', '2026-11-24 22:33:11.054+00', '2026-11-24 22:33:11.236+00', NULL);

INSERT INTO public.media_files VALUES
	('6e8128d08754d01ceb400a854ea35c3f.mp3', 'melody-audio', 'audio/mpeg', 53120, '1ba8f861b96bb4dd3caa7077ac7cc1a0ee84bb1ccf20624bd579ea9f0d3be48f', 4800, 'p7S0tLW0tLS0tLS1tLS0tLS0tLS0tLS0tLS0tLS0tLS0jbW0tbS0tbS0tLW0tLS1tLS0tLW0tbS0tLS0tLW1tbS0dbS0tLS1tbS0tbW1tLW1tbS1tLS1tbW1tLS0tbS0tbW0tLO0tbS0tLW0tbW0tbS1tLS1tbS1tLS1tbS1tbW0tbW0tH60tbW1tbW1tbW0tbS1tLS1tLS1tLW0tbS1tbW1tLS0tWi0tLS1tLS0tLS0tLS0tLS0tLW0tLW0tLS1tLS0tLS0tKc=', '2026-11-24 22:33:15.443+00', false, NULL, NULL),
	('663dccd01b248d5d93a7e006d165c7ac.m4a', 'melody-playback', 'audio/mp4', 99483, '9f9d858f174d15aa78f276cd278a6b36106bec0d20eccc9a64820e0022f00fde', 4800, NULL, '2026-11-24 22:33:15.443+00', true, NULL, NULL),
	('cad9bf66a8528f6e7c86608b0fb7a479.wav', 'recording-audio', 'audio/wav', 16044, '36cc9d5d4acef36a763b941d39eff36e8489691a41175a71911cb81823e42dc9', 1000, 'fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHw=', '2026-11-24 22:33:15.543+00', true, NULL, NULL),
	('b578c96420e477f32d904efa777abb97.wav', 'recording-audio', 'audio/wav', 16044, '36cc9d5d4acef36a763b941d39eff36e8489691a41175a71911cb81823e42dc9', 1000, 'fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHw=', '2026-11-24 22:33:15.686+00', true, NULL, NULL);

INSERT INTO public.melodies VALUES
	(1, 'Mani', NULL, 1, NULL, '6e8128d08754d01ceb400a854ea35c3f.mp3', NULL, 'om mani
padme hung', 'b5748375-53f4-432e-a198-45a31cae2ce1', '2026-11-24 22:33:15.443+00', '663dccd01b248d5d93a7e006d165c7ac.m4a', '[{"line": 0, "start": 0}, {"line": 1, "start": 1}]', 'mani', 'mani  om mani
padme hung', '{110,1845538188,-1223609389,98,1644206773,-67925159,111,1862315815,106,112,1879093438,113,1895871045,689480452,1644206763,-235701345,101,1694539629,1828387069,1845538192,102,105,1761650113,218427202,118,1979759153,-198894709,1862315813,104}', NULL, NULL);

INSERT INTO public.recordings VALUES
	(2, 'A song of my own', NULL, 'b578c96420e477f32d904efa777abb97.wav', 1, 'b8a0fd7a-5aa1-4794-8725-0cce97b36fa7', NULL, NULL, 'pending', '2026-11-24 22:33:15.686+00', 'a song of my own'),
	(1, 'Mine', NULL, 'cad9bf66a8528f6e7c86608b0fb7a479.wav', 1, 'b8a0fd7a-5aa1-4794-8725-0cce97b36fa7', 1, NULL, 'reviewed', '2026-11-24 22:33:15.543+00', 'mine');

INSERT INTO public.sessions VALUES
	('7e080e9db6fc94ffd14fd223ef92d7e1a6f2c4fcbae45e4e338dae02e824527f', '{"userId": "b5748375-53f4-432e-a198-45a31cae2ce1"}', '2026-12-24 22:33:10.277+00'),
	('317fc690451de9ff88028a54a37f037d4f25768759ea6860e2ddbf0badbad0db', '{"userId": "b8a0fd7a-5aa1-4794-8725-0cce97b36fa7"}', '2026-12-24 22:33:11.376+00');

INSERT INTO public.transmission_levels VALUES
	(1, 'Refuge', NULL, '2026-11-24 22:33:10.562+00');

INSERT INTO public.user_transmission_access VALUES
	(1, 'b8a0fd7a-5aa1-4794-8725-0cce97b36fa7', 1, '2026-11-24 22:33:10.847+00', 'b5748375-53f4-432e-a198-45a31cae2ce1'),
	(2, '676122bb-cd7c-4a31-9d87-cb32e8b196f5', 1, '2026-11-24 22:33:11.054+00', 'b5748375-53f4-432e-a198-45a31cae2ce1');

INSERT INTO public.users VALUES
	('b5748375-53f4-432e-a198-45a31cae2ce1', 'teacher@example.org', NULL, NULL, 'khandro', '$argon2id$v=19$m=65536,t=3,p=1$1+blhTEaOMLGsVHUZoanHg$HBnM45Tsag55Ciq4w7txo2qCxpXVXzMxOAUSb7tZnLM', NULL, 'admin', true, '2026-11-24 22:33:07.131+00', '2026-11-24 22:33:07.131+00', false, true, '  khandro', '9e2f50f8-f7be-4a33-9884-c91fd87c3410', '{108,1811982957,1913407993,105,1761650093,-117125178,98,1644206773,-67925164,111,1862315810,-535579911,101,1694539634,1912275174,115,1929426297,112,117,1962981525,-987589903,102,1711317236,-2030215040,1644206762,-252478969,100,1677762005,1106802357,1761650097,-50014698,1711317253,-1744995552,1929426250,1411212260,65,1090545337,211924404,1711317259,-1644329805,121,2030091997,1496086101,1644206772,-84702771,110,1845538203,-971945106,113,1895871056,874034262,109,1828760573,-1794195594,1711317185,1409093699,47,788548205,1786063370,1879093443,337003361,1929426289,104}'),
	('b8a0fd7a-5aa1-4794-8725-0cce97b36fa7', 'tashi@example.org', 'Tashi', 'Dolma', 'tashi', '$argon2id$v=19$m=65536,t=3,p=1$+l6OTChNSkX73DAZzVnQsA$yXDcWaGkKn6iqR4onTNrBEimRXEKQ0pMOXDBzjG+shw', NULL, 'student', true, '2026-11-24 22:33:10.847+00', '2026-11-24 22:33:10.847+00', true, true, 'tashi dolma tashi', '9bc1ae28-7808-4e9e-bb3c-44fec6eec945', '{117,1962981521,-1054700361,98,1644206778,15962935,116,1946203909,-1574953655,105,1761650101,106,101,1694539631,1861942314,112,1879093437,236337653,109,1828760581,-1659974591,110,1845538188,17095728,1778427679,-33089997,65,1090545337,211924404,102,1711317259,-1644329805,121,2030091997,1496086101,1644206772,-84702771,1845538203,-971945106,113,1895871056,874034262,1828760573,-1794195594,1711317185,1409093699,47,788548205,1786063370,1879093443,337003361,115,1929426289,104}'),
	('676122bb-cd7c-4a31-9d87-cb32e8b196f5', 'pema@example.org', 'Pema', 'Lhamo', 'pema', '$argon2id$v=19$m=65536,t=3,p=1$LDURvm8Ie+lhWMOCF+7lvQ$nszn3wiCjTEGo9Lwce30Y+Ag/dfl82qnO0MfFUk2ZpA', NULL, 'student', true, '2026-11-24 22:33:11.054+00', '2026-11-24 22:33:11.054+00', true, true, 'pema lhamo pema', '94c85c09-a584-4193-b54b-1163f2ccb1a9', '{113,1895871049,756590937,102,1711317248,-1828883614,110,1845538188,98,109,1828760576,-1743862686,105,1761650093,-117125179,1644206772,-84702772,1845538202,112,-1223609435,1644206727,-839695637,65,1090545337,211924404,1711317259,-1644329805,121,2030091997,1496086101,-84702771,1845538203,-971945106,1895871056,874034262,1828760573,-1794195594,1711317185,1409093699,47,788548205,1786063370,1879093443,337003361,115,1929426289,104}');

SELECT pg_catalog.setval('drizzle.__drizzle_migrations_id_seq', 13, true);

SELECT pg_catalog.setval('public.attempts_id_seq', 2, true);

SELECT pg_catalog.setval('public.audit_log_id_seq', 3, true);

SELECT pg_catalog.setval('public.categories_id_seq', 1, false);

SELECT pg_catalog.setval('public.feedback_id_seq', 1, true);

SELECT pg_catalog.setval('public.mails_id_seq', 2, true);

SELECT pg_catalog.setval('public.melodies_id_seq', 1, true);

SELECT pg_catalog.setval('public.password_reset_tokens_id_seq', 1, false);

SELECT pg_catalog.setval('public.recordings_id_seq', 2, true);

SELECT pg_catalog.setval('public.registration_requests_id_seq', 1, false);

SELECT pg_catalog.setval('public.transmission_levels_id_seq', 1, true);

SELECT pg_catalog.setval('public.user_transmission_access_id_seq', 2, true);

ALTER TABLE ONLY drizzle.__drizzle_migrations
    ADD CONSTRAINT __drizzle_migrations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.categories
    ADD CONSTRAINT categories_name_unique UNIQUE (name);

ALTER TABLE ONLY public.categories
    ADD CONSTRAINT categories_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.feedback
    ADD CONSTRAINT feedback_client_id_once UNIQUE (admin_id, client_id);

ALTER TABLE ONLY public.feedback_drafts
    ADD CONSTRAINT feedback_drafts_recording_id_admin_id_pk PRIMARY KEY (recording_id, admin_id);

ALTER TABLE ONLY public.feedback
    ADD CONSTRAINT feedback_one_for_each_recording UNIQUE (recording_id);

ALTER TABLE ONLY public.feedback
    ADD CONSTRAINT feedback_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.installation
    ADD CONSTRAINT installation_pkey PRIMARY KEY (is_only);

ALTER TABLE ONLY public.known_devices
    ADD CONSTRAINT known_devices_user_id_device_pk PRIMARY KEY (user_id, device);

ALTER TABLE ONLY public.library
    ADD CONSTRAINT library_pkey PRIMARY KEY (is_only);

ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.media_files
    ADD CONSTRAINT media_files_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.melodies
    ADD CONSTRAINT melodies_client_id_once UNIQUE (created_by, client_id);

ALTER TABLE ONLY public.melodies
    ADD CONSTRAINT melodies_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.notices
    ADD CONSTRAINT notices_pkey PRIMARY KEY (kind);

ALTER TABLE ONLY public.password_reset_tokens
    ADD CONSTRAINT password_reset_tokens_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.password_reset_tokens
    ADD CONSTRAINT password_reset_tokens_token_unique UNIQUE (token);

ALTER TABLE ONLY public.recordings
    ADD CONSTRAINT recordings_client_id_once UNIQUE (student_id, client_id);

ALTER TABLE ONLY public.recordings
    ADD CONSTRAINT recordings_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.registration_requests
    ADD CONSTRAINT registration_requests_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (sid);

ALTER TABLE ONLY public.transmission_levels
    ADD CONSTRAINT transmission_levels_name_unique UNIQUE (name);

ALTER TABLE ONLY public.transmission_levels
    ADD CONSTRAINT transmission_levels_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_owner_id_client_id_pk PRIMARY KEY (owner_id, client_id);

ALTER TABLE ONLY public.user_transmission_access
    ADD CONSTRAINT user_transmission_access_once UNIQUE (user_id, transmission_level_id);

ALTER TABLE ONLY public.user_transmission_access
    ADD CONSTRAINT user_transmission_access_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_news_token_unique UNIQUE (news_token);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

CREATE INDEX attempts_address ON public.attempts USING btree (kind, address, at);

CREATE INDEX attempts_at ON public.attempts USING btree (at);

CREATE INDEX attempts_subject ON public.attempts USING btree (kind, subject, at);

CREATE INDEX audit_log_actor ON public.audit_log USING btree (actor_id);

CREATE INDEX feedback_audio ON public.feedback USING btree (audio_feedback_url);

CREATE INDEX feedback_drafts_admin ON public.feedback_drafts USING btree (admin_id);

CREATE INDEX known_devices_device ON public.known_devices USING btree (device);

CREATE INDEX known_devices_seen ON public.known_devices USING btree (seen_at);

CREATE INDEX mails_due ON public.mails USING btree (due_at, id) WHERE (status = 'queued'::text);

CREATE INDEX mails_outbox ON public.mails USING btree (id) WHERE (outbox_file IS NOT NULL);

CREATE INDEX mails_status ON public.mails USING btree (status, settled_at);

CREATE INDEX mails_user ON public.mails USING btree (user_id);

CREATE INDEX media_files_checked ON public.media_files USING btree (checked_at NULLS FIRST, name);

CREATE INDEX media_files_damaged ON public.media_files USING btree (name) WHERE (damage IS NOT NULL);

CREATE INDEX melodies_audio ON public.melodies USING btree (audio_url);

CREATE INDEX melodies_created_by ON public.melodies USING btree (created_by);

CREATE INDEX melodies_level ON public.melodies USING btree (transmission_level_id);

CREATE INDEX melodies_newest ON public.melodies USING btree (created_at, id);

CREATE INDEX melodies_playback ON public.melodies USING btree (playback_url);

CREATE INDEX melodies_search ON public.melodies USING gin (folded_grams);

CREATE INDEX melodies_thumbnail ON public.melodies USING btree (thumbnail_url);

CREATE INDEX password_reset_tokens_user ON public.password_reset_tokens USING btree (user_id);

CREATE INDEX recordings_attempts ON public.recordings USING btree (student_id, melody_id, id);

CREATE INDEX recordings_audio ON public.recordings USING btree (audio_url);

CREATE INDEX recordings_melody ON public.recordings USING btree (melody_id);

CREATE INDEX recordings_pending ON public.recordings USING btree (created_at, id) WHERE (status = 'pending'::text);

CREATE INDEX recordings_student_newest ON public.recordings USING btree (student_id, id, status);

CREATE INDEX registration_requests_approved ON public.registration_requests USING btree (processed_at DESC NULLS LAST) WHERE (status = 'approved'::text);

CREATE INDEX registration_requests_newest ON public.registration_requests USING btree (requested_at, id);

CREATE UNIQUE INDEX registration_requests_one_pending ON public.registration_requests USING btree (lower(email)) WHERE (status = 'pending'::text);

CREATE INDEX registration_requests_status ON public.registration_requests USING btree (status, requested_at, id);

CREATE INDEX sessions_expire ON public.sessions USING btree (expire);

CREATE INDEX sessions_user ON public.sessions USING btree (((sess ->> 'userId'::text)));

CREATE INDEX uploads_created ON public.uploads USING btree (created_at);

CREATE INDEX uploads_file ON public.uploads USING btree (file);

CREATE INDEX user_transmission_access_granted_by ON public.user_transmission_access USING btree (granted_by);

CREATE INDEX user_transmission_access_level ON public.user_transmission_access USING btree (transmission_level_id);

CREATE INDEX users_by_name ON public.users USING btree (lower(COALESCE(NULLIF(TRIM(BOTH FROM ((COALESCE(first_name, ''::text) || ' '::text) || COALESCE(last_name, ''::text))), ''::text), username)), id);

CREATE UNIQUE INDEX users_email_unique ON public.users USING btree (lower(email));

CREATE INDEX users_search ON public.users USING gin (folded_grams);

CREATE UNIQUE INDEX users_username_unique ON public.users USING btree (lower(username));

CREATE CONSTRAINT TRIGGER melodies_renew_library AFTER INSERT OR DELETE OR UPDATE ON public.melodies DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.renew_library_version();

CREATE TRIGGER melodies_renew_library_if_emptied AFTER TRUNCATE ON public.melodies FOR EACH STATEMENT EXECUTE FUNCTION public.renew_library_version();

CREATE CONSTRAINT TRIGGER transmission_levels_renew_library AFTER INSERT OR DELETE OR UPDATE ON public.transmission_levels DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.renew_library_version();

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_actor_id_users_id_fk FOREIGN KEY (actor_id) REFERENCES public.users(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.feedback
    ADD CONSTRAINT feedback_admin_id_users_id_fk FOREIGN KEY (admin_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.feedback_drafts
    ADD CONSTRAINT feedback_drafts_admin_id_users_id_fk FOREIGN KEY (admin_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.feedback_drafts
    ADD CONSTRAINT feedback_drafts_recording_id_recordings_id_fk FOREIGN KEY (recording_id) REFERENCES public.recordings(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.feedback
    ADD CONSTRAINT feedback_recording_id_recordings_id_fk FOREIGN KEY (recording_id) REFERENCES public.recordings(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.known_devices
    ADD CONSTRAINT known_devices_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.melodies
    ADD CONSTRAINT melodies_created_by_users_id_fk FOREIGN KEY (created_by) REFERENCES public.users(id);

ALTER TABLE ONLY public.melodies
    ADD CONSTRAINT melodies_transmission_level_id_transmission_levels_id_fk FOREIGN KEY (transmission_level_id) REFERENCES public.transmission_levels(id) ON DELETE RESTRICT;

ALTER TABLE ONLY public.password_reset_tokens
    ADD CONSTRAINT password_reset_tokens_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.recordings
    ADD CONSTRAINT recordings_melody_id_melodies_id_fk FOREIGN KEY (melody_id) REFERENCES public.melodies(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.recordings
    ADD CONSTRAINT recordings_student_id_users_id_fk FOREIGN KEY (student_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.registration_requests
    ADD CONSTRAINT registration_requests_processed_by_users_id_fk FOREIGN KEY (processed_by) REFERENCES public.users(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_owner_id_users_id_fk FOREIGN KEY (owner_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.user_transmission_access
    ADD CONSTRAINT user_transmission_access_granted_by_users_id_fk FOREIGN KEY (granted_by) REFERENCES public.users(id);

ALTER TABLE ONLY public.user_transmission_access
    ADD CONSTRAINT user_transmission_access_transmission_level_id_transmission_lev FOREIGN KEY (transmission_level_id) REFERENCES public.transmission_levels(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.user_transmission_access
    ADD CONSTRAINT user_transmission_access_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

