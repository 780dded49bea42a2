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
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL
);

CREATE SEQUENCE public.feedback_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.feedback_id_seq OWNED BY public.feedback.id;

CREATE TABLE public.known_devices (
    device text NOT NULL,
    user_id text NOT NULL,
    seen_at timestamp(3) with time zone DEFAULT now() NOT NULL
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
    search_text text GENERATED ALWAYS AS (regexp_replace(NORMALIZE(lower(((((COALESCE(title, ''::text) || ' '::text) || COALESCE(description, ''::text)) || ' '::text) || COALESCE(melody_text, ''::text))), NFD), '[\u0300-\u036f]'::text, ''::text, 'g'::text)) STORED NOT NULL
);

CREATE SEQUENCE public.melodies_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.melodies_id_seq OWNED BY public.melodies.id;

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

CREATE TABLE public.upload_pieces (
    owner_id text NOT NULL,
    client_id uuid NOT NULL,
    start integer NOT NULL,
    bytes bytea NOT NULL
);

CREATE TABLE public.uploads (
    owner_id text NOT NULL,
    client_id uuid NOT NULL,
    size integer NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    grown_at timestamp(3) with time zone DEFAULT now() NOT NULL,
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
	(4, 'dbe8ea76da61697e29f310904f408bb7601feda0edaf37c12e68089139bab72d', 1795263970476);

INSERT INTO public.attempts VALUES
	(8, 'registration', '7543d50ab74fa4b1db6a62dcb8a02a651b163e382a453a3414a84794257541de', '127.0.0.1', '2026-11-23 03:07:29.916+00'),
	(9, 'registration', '50a21c6306c7d4fe1833407d24d9f7047427e35ffbd843796ab1eaea547754a3', '127.0.0.1', '2026-11-23 03:07:29.931+00');

INSERT INTO public.audit_log VALUES
	(1, '2026-11-23 03:07:25.03+00', '65f9467a-6935-4ba5-a17c-bfa59ba51220', 'khandro', 'level-added', 'Chöd', NULL),
	(2, '2026-11-23 03:07:25.167+00', '65f9467a-6935-4ba5-a17c-bfa59ba51220', 'khandro', 'user-created', 'Tashi Dölma', 'Open to All, Refuge'),
	(3, '2026-11-23 03:07:25.506+00', '65f9467a-6935-4ba5-a17c-bfa59ba51220', 'khandro', 'user-created', 'Pema Wangmo', 'Open to All'),
	(4, '2026-11-23 03:07:26.004+00', '65f9467a-6935-4ba5-a17c-bfa59ba51220', 'khandro', 'user-created', 'Norbu Lhamo', 'Open to All'),
	(5, '2026-11-23 03:07:26.294+00', '65f9467a-6935-4ba5-a17c-bfa59ba51220', 'khandro', 'user-disabled', 'Norbu Lhamo', NULL),
	(6, '2026-11-23 03:07:30.043+00', '65f9467a-6935-4ba5-a17c-bfa59ba51220', 'khandro', 'user-invited', 'Yeshe Gyatso', 'Open to All'),
	(7, '2026-11-23 03:07:35.714+00', '65f9467a-6935-4ba5-a17c-bfa59ba51220', 'khandro', 'request-approved', 'Lobsang Dawa', 'Open to All');

INSERT INTO public.feedback VALUES
	(3, 3, 'སྙན་པོ་འདུག', 'e4cbfe35a5ca3b99c5f0637d98d75147.webm', '65f9467a-6935-4ba5-a17c-bfa59ba51220', '8ad45ceb-72bd-4cfd-a3a8-e90ad82840ed', 'unread', '2026-11-23 03:07:29.822+00', NULL, '[]'),
	(1, 1, 'Lovely. A little lower at the end.', NULL, '65f9467a-6935-4ba5-a17c-bfa59ba51220', '7257b953-39cf-439d-a0af-dd579707fc80', 'integrated', '2026-11-23 03:07:29.143+00', '2026-11-23 03:07:29.161+00', '[{"end": null, "text": "Hold this one longer", "start": 0.2, "melodyAt": 1}, {"end": 0.9, "text": "Beautiful", "start": 0.5, "melodyAt": null}]'),
	(2, 2, NULL, '648371b5ab442f38deb120726c24a325.wav', '65f9467a-6935-4ba5-a17c-bfa59ba51220', '77ce7bc5-444d-45e7-84cc-105a32705687', 'read', '2026-11-23 03:07:29.336+00', NULL, '[]');

INSERT INTO public.feedback_drafts VALUES
	(5, '65f9467a-6935-4ba5-a17c-bfa59ba51220', 'Where did you learn', '[{"end": null, "text": "Hold this one longer", "start": 0.2, "melodyAt": 1}]', '2026-11-23 03:07:29.877+00');

INSERT INTO public.known_devices VALUES
	('fc8216920158f9d551069a487cf092bcd2458a48bf61fc425099a0e509d1761f', '65f9467a-6935-4ba5-a17c-bfa59ba51220', '2026-11-23 03:07:24.885+00'),
	('0717b217814296f0891b9dd620419f7ede10685376a7e807eb39abd3f868571e', '06ae5f05-2b6e-426f-b444-9c3ea8b9eea1', '2026-11-23 03:07:25.18+00'),
	('7805b68a8d00c460286fdcd3359e9174ed4d3160db338ad60df1b309000fd8ec', 'e1a7483b-f2c6-460f-a8f1-c77f6df6b7ce', '2026-11-23 03:07:25.519+00'),
	('7a64deb7554fca40cf96d0d144070199397ef4b37b8c994f1ff492a63eeb6d57', '3ece5ccf-551a-4429-9d15-5322f5103859', '2026-11-23 03:07:26.023+00'),
	('a036bae89da2839061aa2af1ce2f2ca559a756bed5d831de451cabdd56cbfca8', '65f9467a-6935-4ba5-a17c-bfa59ba51220', '2026-11-23 03:07:35.426+00');

INSERT INTO public.mails VALUES
	(1, 'credentials', '057d0bf2-4e8a-4ecd-a25c-8205973b312e', 'yeshe@example.org', 'Welcome to Yangchen: how to sign in', NULL, NULL, 'delivered', 1, '2026-11-23 03:10:30.06+00', NULL, '20261123T030730043Z-1.eml', '2026-11-23 03:07:30.043+00', '2026-11-23 03:07:30.099+00'),
	(2, 'credentials', 'b39b0e42-9237-4e4c-a9af-42ec117c6b49', 'lobsang@example.org', 'Welcome to Yangchen: how to sign in', 'Yangchen

Dear Lobsang,

Thank you for asking to learn with us. I am glad to welcome you to Yangchen, where we learn our songs by listening, singing and listening again. This is how you come in:

  Username: lobsang
  Password: regiji-sizeja-hitiji-97

Sign in to Yangchen:
https://songs.example.org/

In place of the username you may also give the email address that this letter came to.

This password was made for you and stands in this letter. Please choose one of your own once you have signed in, here:

Choose your own password:
https://songs.example.org/change-password

With warm wishes for your practice,
Khandro-la
', '<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>Yangchen</title>
<style>@media (prefers-color-scheme:dark){
.ground{background:#171110!important}
.sheet{background:#211917!important;border-color:#3b2d29!important}
.ink{color:#f5ebe0!important}
.soft{color:#c2aea2!important}
.name{color:#e39a8b!important}
.sunk{background:#120c0b!important;border-color:#3b2d29!important}
.press{background:#e39a8b!important}
.press a{color:#2a0d0c!important}
}</style>
</head>
<body class="ground" style="margin:0;padding:0;background:#faf5ec">
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#faf5ec" style="background:#faf5ec"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:560px">
<tr><td class="name" style="padding:0 4px 14px;font-family:Georgia,''Times New Roman'',serif;font-size:22px;line-height:1.3;color:#7a1e2c">Yangchen</td></tr>
<tr><td class="sheet" bgcolor="#fffdf8" style="padding:28px 24px 12px;background:#fffdf8;border:1px solid #e5d9c6;border-radius:8px">
<p class="ink" style="margin:0 0 16px;font-family:Georgia,''Times New Roman'',serif;font-size:17px;line-height:1.55;color:#2b1d1b">Dear Lobsang,</p>
<p class="ink" style="margin:0 0 16px;font-family:Georgia,''Times New Roman'',serif;font-size:17px;line-height:1.55;color:#2b1d1b">Thank you for asking to learn with us. I am glad to welcome you to Yangchen, where we learn our songs by listening, singing and listening again. This is how you come in:</p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px"><tr><td class="sunk" bgcolor="#f3ebdc" style="padding:10px 16px;background:#f3ebdc;border:1px solid #e5d9c6;border-radius:6px">
<table cellpadding="0" cellspacing="0" border="0">
<tr>
<td class="soft" valign="top" style="padding:5px 16px 5px 0;font-family:Georgia,''Times New Roman'',serif;font-size:15px;line-height:1.5;color:#66534c">Username</td>
<td class="ink" valign="top" style="padding:5px 0;font-family:Consolas,Menlo,''Courier New'',monospace;font-size:16px;line-height:1.45;color:#2b1d1b;overflow-wrap:anywhere;word-break:break-word;-webkit-user-select:all;user-select:all">lobsang</td>
</tr>
<tr>
<td class="soft" valign="top" style="padding:5px 16px 5px 0;font-family:Georgia,''Times New Roman'',serif;font-size:15px;line-height:1.5;color:#66534c">Password</td>
<td class="ink" valign="top" style="padding:5px 0;font-family:Consolas,Menlo,''Courier New'',monospace;font-size:16px;line-height:1.45;color:#2b1d1b;overflow-wrap:anywhere;word-break:break-word;-webkit-user-select:all;user-select:all">regiji-sizeja-hitiji-97</td>
</tr>
</table>
</td></tr></table>
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:4px 0 10px"><tr><td class="press" bgcolor="#7a1e2c" style="background:#7a1e2c;border-radius:6px">
<a href="https://songs.example.org/" style="display:inline-block;padding:13px 26px;font-family:Georgia,''Times New Roman'',serif;font-size:17px;line-height:1.2;color:#fff7ee;text-decoration:none">Sign in to Yangchen</a>
</td></tr></table>
<p class="soft" style="margin:0 0 20px;font-family:Consolas,Menlo,''Courier New'',monospace;font-size:13px;line-height:1.5;color:#66534c;overflow-wrap:anywhere;word-break:break-word">https://songs.example.org/</p>
<p class="ink" style="margin:0 0 16px;font-family:Georgia,''Times New Roman'',serif;font-size:17px;line-height:1.55;color:#2b1d1b">In place of the username you may also give the email address that this letter came to.</p>
<p class="ink" style="margin:0 0 16px;font-family:Georgia,''Times New Roman'',serif;font-size:17px;line-height:1.55;color:#2b1d1b">This password was made for you and stands in this letter. Please choose one of your own once you have signed in, here:</p>
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:4px 0 10px"><tr><td class="press" bgcolor="#7a1e2c" style="background:#7a1e2c;border-radius:6px">
<a href="https://songs.example.org/change-password" style="display:inline-block;padding:13px 26px;font-family:Georgia,''Times New Roman'',serif;font-size:17px;line-height:1.2;color:#fff7ee;text-decoration:none">Choose your own password</a>
</td></tr></table>
<p class="soft" style="margin:0 0 20px;font-family:Consolas,Menlo,''Courier New'',monospace;font-size:13px;line-height:1.5;color:#66534c;overflow-wrap:anywhere;word-break:break-word">https://songs.example.org/change-password</p>
<p class="ink" style="margin:0 0 16px;font-family:Georgia,''Times New Roman'',serif;font-size:17px;line-height:1.55;color:#2b1d1b">With warm wishes for your practice,<br>Khandro-la</p>
</td></tr>
</table>
</td></tr></table>
</body>
</html>
', 'queued', 1, '2026-11-23 03:08:03.857+00', 'The mail server could not be reached.', NULL, '2026-11-23 03:07:35.714+00', NULL);

INSERT INTO public.media_files VALUES
	('a6abd1a8943a8761cf2c6680decf1ef6.webp', 'melody-thumbnail', 'image/webp', 192, '7b7594e1e9fee22509aa67884233bf59c05008791cf6301c346a11387ce07bfb', NULL, NULL, '2026-11-23 03:07:26.497+00', true),
	('d68d2e646bbed8d4e3e72b53221b5212.wav', 'melody-audio', 'audio/wav', 16044, '0fcb0ef205a28466d683b090a1086495d24e80d32ef0144edb20c4c8733fb04f', 1000, 'fHx9fHx9fH18fHx8fXx8fXx9fHx8fH18fH18fXx8fHx9fH18fH18fHx8fXx8fXx9fHx8fH18fH18fXx8fHx9fHx9fH18fHx8fXx8fXx9fHx8fH18fH18fXx8fHx9fH18fH18fHx8fXx8fXx9fHx8fH18fXx8fXx8fHx9fHx9fH18fHx8fXx8fXx9fHx8fH18fH18fXx8fHx9fHx9fH18fHx8fXx9fHx9fHx8fH18fH18fXx8fHx9fHx9fH18fHx8fXx8fXx9fHw=', '2026-11-23 03:07:26.497+00', true),
	('7ec6bb8134252a2b791ae54bc6aff1b2.mp3', 'melody-audio', 'audio/mpeg', 2637, 'd4ed78a92f8eb25050e21b67b213d6aeafd63152926bc5f719d796dc238727eb', 2000, 'IiAgICAfICIhIiEhIyIiIyMgICEiISIiIB0gICEhJSUjIiEhHyAiICQlIyIlJCIhICMiISAeHyAeISMlIiEgHx4fICAjIyAhIyUjIyMkIyEiIB8hIiIjJiUhISAfHCAgICAhIiEhIyIiIyMgICEiISIiIB0gICEhJSUjIiEhHyAiICQlIyIlJCIhICMiISAeHyAeISMlIiAfIB8fICAjIyEhIyUkIyMkIyAiIB4eHyAkJiYhISAfHCAgICAhIiEhIyIgIB8iICE=', '2026-11-23 03:07:27.563+00', false),
	('17a9757e53a3ab9945e3220ed13128bb.m4a', 'melody-playback', 'audio/mp4', 14501, '90cd6967ac806a2656059e70ebe1d3bea098aeee50925b66709ddef5660bbd2a', 2000, NULL, '2026-11-23 03:07:27.563+00', true),
	('f2a8822b4c9335f28b7bd9e6c0b32586.wav', 'recording-audio', 'audio/wav', 16044, 'd353d482665d055db69d7e8728633494b27bc3a7e7b6f11816df8211f297223e', 1000, 'fHx9fXx8fH18fXx8fH18fXx8fH19fHx8fH18fHx9fXx8fH18fXx8fH18fXx8fH19fHx8fH19fHx8fXx9fHx8fXx9fHx8fX18fHx8fXx8fH19fHx8fXx9fHx8fXx9fHx8fX18fHx8fX18fHx9fH18fHx9fH18fHx9fXx8fHx9fHx8fX18fHx9fH18fHx9fH18fHx9fXx8fHx9fXx8fH18fXx8fH18fXx8fH19fHx8fH18fHx9fXx8fH18fXx8fH18fXx8fH19fHw=', '2026-11-23 03:07:27.717+00', true),
	('8fdef1998f5a0565bb0d007348acbc3f.webm', 'recording-audio', 'audio/webm', 4478, '23e1b07daa2ff2f4708f36874b72a9821e47863a09101c99ce97799ddf0f885b', 2001, 'HSAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICEgICAgISAgICEhICEgICEgISAgICAgISEgICAgICEgICAgISIiISAhIiAgISEhICEgIiEhICAhIB8hISEgISEhICIgICAiISEhIiIhISEhICEgISIhIiIhIiAiICIjISEgIiIiISIhISEiIiMhISIhIiAhICIhICAhIiEhISAiISMhIiAiIiEjICEhISMhISIhIiEhISEiIiEfISAhIyEiISEiHyEgIR8=', '2026-11-23 03:07:28.101+00', true),
	('6c7e5316afc5cf580117be2662c07dda.m4a', 'recording-audio', 'audio/mp4', 7327, '90b62bf09034c4e3d888289a3f1ffd32548df19f8ecd50a96576bf921e730d6c', 2000, 'ICAgISMlIB8jJSEhICAgICAfHyAgICAgICAfICAgHyAgHx8fICAgICAhICAhISAgICAgICAfHx8fHx8fICAgISEgHx8fHyAgICAgIB8fHx8gICAgIB8gIB8gICAhISAgICAgICAfICAfHyAfICAgHx8fHx8fICAgISEgICAgICAgIB8fICEhISAgICEhISAhISEgICAgHyAhISEhISAgICAgICAgICAgICAgICAgICAfHyAgHyAgICEhISAgICAfICEhICAfICQ=', '2026-11-23 03:07:28.573+00', true),
	('69dbaa080173e298b0ac7eb66fb65b8a.wav', 'recording-audio', 'audio/wav', 16044, '17622396fc7aa9e7dc3ace4e6de429dca5b4637c6e8adba4023859c389219c18', 1000, 'fXx9fHx8fHx8fH18fX18fXx8fHx8fXx9fH19fH18fHx8fH18fX18fXx8fHx8fHx9fH19fH18fHx8fHx8fXx9fXx9fHx8fHx9fH18fX18fXx8fHx8fXx9fXx9fHx8fHx8fH18fX18fXx8fHx8fHx9fH19fH18fHx8fH18fXx9fXx9fHx8fHx9fH19fH18fHx8fHx8fXx9fXx9fHx8fHx8fH18fX18fXx8fHx8fXx9fH19fH18fHx8fH18fX18fXx8fHx8fHx9fH0=', '2026-11-23 03:07:28.784+00', true),
	('fbb3d472b9f83781d773bece17a2f079.wav', 'recording-audio', 'audio/wav', 16044, 'be286451840f5de9448e14d3bd6e4b4ebe7432c78b5efcd3bc1e33a605c4cba4', 1000, 'fH18fXx8fH18fXx8fXx8fXx9fHx8fXx9fHx9fH18fHx9fH18fH18fH18fXx8fH18fXx8fXx9fHx8fXx9fHx9fHx9fH18fHx9fH18fH18fXx8fH18fXx8fXx8fXx9fHx8fXx9fHx9fH18fHx9fH18fH18fH18fXx8fH18fXx8fXx9fHx8fXx9fHx9fHx9fH18fHx9fH18fH18fXx8fH18fXx8fXx8fXx9fHx8fXx9fHx9fH18fHx9fH18fH18fH18fXx8fH18fXw=', '2026-11-23 03:07:28.958+00', true),
	('648371b5ab442f38deb120726c24a325.wav', 'feedback-audio', 'audio/wav', 16044, '36cc9d5d4acef36a763b941d39eff36e8489691a41175a71911cb81823e42dc9', 1000, 'fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHx8fH18fHx8fXx8fHx9fHw=', '2026-11-23 03:07:29.336+00', true),
	('e4cbfe35a5ca3b99c5f0637d98d75147.webm', 'feedback-audio', 'audio/webm', 4478, '23e1b07daa2ff2f4708f36874b72a9821e47863a09101c99ce97799ddf0f885b', 2001, 'HSAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICEgICAgISAgICEhICEgICEgISAgICAgISEgICAgICEgICAgISIiISAhIiAgISEhICEgIiEhICAhIB8hISEgISEhICIgICAiISEhIiIhISEhICEgISIhIiIhIiAiICIjISEgIiIiISIhISEiIiMhISIhIiAhICIhICAhIiEhISAiISMhIiAiIiEjICEhISMhISIhIiEhISEiIiEfISAhIyEiISEiHyEgIR8=', '2026-11-23 03:07:29.822+00', true);

INSERT INTO public.melodies VALUES
	(1, 'Mani', 'The six syllables', 1, NULL, 'd68d2e646bbed8d4e3e72b53221b5212.wav', 'a6abd1a8943a8761cf2c6680decf1ef6.webp', 'bo: ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།
om mani padme hung
en: Om, the jewel in the lotus

bo: བླ་མ་ལ་སྐྱབས་སུ་མཆི།
lama la kyab su chi
en: I take refuge in the teacher', '65f9467a-6935-4ba5-a17c-bfa59ba51220', '2026-11-23 03:07:26.497+00', NULL, '[{"line": 0, "start": 0}, {"line": 1, "start": 0}, {"line": 2, "start": 0}, {"line": 4, "start": 1}, {"line": 5, "start": 1}, {"line": 6, "start": 1}]', DEFAULT),
	(2, 'སྐྱབས་འགྲོ་', NULL, 2, NULL, '7ec6bb8134252a2b791ae54bc6aff1b2.mp3', NULL, 'བླ་མ་ལ་སྐྱབས་སུ་མཆི།', '65f9467a-6935-4ba5-a17c-bfa59ba51220', '2026-11-23 03:07:27.563+00', '17a9757e53a3ab9945e3220ed13128bb.m4a', NULL, DEFAULT),
	(3, 'Chöd of the Khandro', NULL, 6, 'https://vimeo.com/76979871', NULL, NULL, NULL, '65f9467a-6935-4ba5-a17c-bfa59ba51220', '2026-11-23 03:07:27.575+00', NULL, NULL, DEFAULT);

INSERT INTO public.recordings VALUES
	(4, 'Mani', 'Slower now', '69dbaa080173e298b0ac7eb66fb65b8a.wav', 1, '06ae5f05-2b6e-426f-b444-9c3ea8b9eea1', 1, '657260fa-53b6-46d9-8732-0c683c5fc228', 'pending', '2026-11-23 03:07:28.784+00'),
	(5, 'A song of my own', NULL, 'fbb3d472b9f83781d773bece17a2f079.wav', 1, 'e1a7483b-f2c6-460f-a8f1-c77f6df6b7ce', NULL, '203f1343-ffcc-46c4-8c2d-fbd90b7feffe', 'pending', '2026-11-23 03:07:28.958+00'),
	(1, 'Mani', 'My first try', 'f2a8822b4c9335f28b7bd9e6c0b32586.wav', 1, '06ae5f05-2b6e-426f-b444-9c3ea8b9eea1', 1, '50f0b4af-cfb5-4570-a88e-a1f70dfa0fc9', 'reviewed', '2026-11-23 03:07:27.717+00'),
	(2, 'Mani', NULL, '8fdef1998f5a0565bb0d007348acbc3f.webm', 2, '06ae5f05-2b6e-426f-b444-9c3ea8b9eea1', 1, '35987df1-53b9-4b1a-8b51-9b4df2a441fc', 'reviewed', '2026-11-23 03:07:28.101+00'),
	(3, 'སྐྱབས་འགྲོ་', NULL, '6c7e5316afc5cf580117be2662c07dda.m4a', 2, '06ae5f05-2b6e-426f-b444-9c3ea8b9eea1', 2, '16c30e66-144a-469f-b4ad-65a0e8e88627', 'reviewed', '2026-11-23 03:07:28.573+00');

INSERT INTO public.registration_requests VALUES
	(1, 'Dolma Tsering', 'dolma@example.org', 'pending', '2026-11-23 03:07:29.925+00', NULL, NULL),
	(2, 'Lobsang Dawa', 'lobsang@example.org', 'approved', '2026-11-23 03:07:29.938+00', '2026-11-23 03:07:35.721+00', '65f9467a-6935-4ba5-a17c-bfa59ba51220');

INSERT INTO public.sessions VALUES
	('19eef870aee380f7d24b63fc5b88b94ca0fedc747b5fbc691cd4defac443b8d2', '{"userId": "65f9467a-6935-4ba5-a17c-bfa59ba51220"}', '2026-12-23 03:07:24.885+00'),
	('736bd654e45074d4c8476d6b9bbf59500d1cfc9cf0e732feebae160bf87ddedc', '{"userId": "06ae5f05-2b6e-426f-b444-9c3ea8b9eea1"}', '2026-12-23 03:07:25.414+00'),
	('cb244d5f728ec522d14dd2dd05fd0c51786455f9faf1981808ce04f5c37f75ef', '{"userId": "e1a7483b-f2c6-460f-a8f1-c77f6df6b7ce"}', '2026-12-23 03:07:25.902+00'),
	('5e5ae74dde9b24c0334a47be284649d1df39382626aaffe0b8c19c58f4f3e3f4', '{"userId": "65f9467a-6935-4ba5-a17c-bfa59ba51220"}', '2026-12-23 03:07:35.426+00');

INSERT INTO public.transmission_levels VALUES
	(1, 'Open to All', 'Songs that anyone in the community may learn.', '2026-11-23 03:07:25.023+00'),
	(2, 'Refuge', 'For those who have taken refuge.', '2026-11-23 03:07:25.023+00'),
	(3, 'Lung (Reading Transmission)', 'For those who have received the reading transmission.', '2026-11-23 03:07:25.023+00'),
	(4, 'Wang (Empowerment)', 'For those who have received the empowerment.', '2026-11-23 03:07:25.023+00'),
	(5, 'Tri (Instruction)', 'For those who have received the instruction.', '2026-11-23 03:07:25.023+00'),
	(6, 'Chöd', 'For those who have received it', '2026-11-23 03:07:25.03+00');

INSERT INTO public.upload_pieces VALUES
	('06ae5f05-2b6e-426f-b444-9c3ea8b9eea1', '7a1f0c1e-7d0b-4c42-9d0c-0d3f8f7a5b01', 0, '\x52494646a43e000057415645666d74201000000001000100401f0000803e00000200100064617461803e00000000bf0a2c15f71ed727862fcc35773a653d7e3ebb3d213bc536c7305529a8200217ad0cf70132f7b0ecc1e2b1d9c6d13bcb42c601c392c1fec143c450c805ce37d5b0dd2ee769f113fcdc0670117f1bbd24e22cb133f638893c4f3e393e493c8d382233322cf0239c1a7e10e20519fb75f048e6dfdc81d470cde0c7fbc3e1c1a0c13ac3a4c6c3cb71d279daa0e39fed2bf8f202a20deb177d21102a62313c37713be03d783e343d1c3a4a35e22e14271c1e3f14c70905ff4af4e8e92fe069d7d8cfb6c932c56ec280c16ec232c5b6c9d8cf69d72fe0e8e94af405ffc7093f141c1e1427e22e4a351c3a343d783ee03d713b3c376231102a7d21eb17a20df2022bf89feda0e379da71d2c3cba4c63ac3a0c1e1c1fbc3e0c770cd81d4dfdc48e675f019fbe2057e109c1af023322c22338d38493c393e4f3e893cf638b133e22cbd247f1b7011dc0613fc69f12ee7b0dd37d505ce50c843c4fec192c101c342c63bcbc6d1b1d9c1e2b0ec32f7f701ad0c0217a8205529c730c536213bbb3d7e3e653d773acc35862fd727f71e2c15bf0a000041f5d4ea09e129d87ad034ca89c59bc282c145c2dfc43bc939cfabd658dffee853f309fece0850133f1d4f263a2ec534be39ff3c6e3e023ebd3bb037fb31c92a5022d218970eed0324f990ee81e443db1ed34fcc0ac777c3b1c1c7c1b7c373c7deccced310dc64e582ef1efae7048b0fb81921237f2b90322038053c1f3e603ec63c5c393d348f2d8725601c6112d5070efd5ef215e883def0d59ecec4c88fc420c288c1ccc2e4c5b6ca1ed1ecd8e4e1c1eb39f6fb00b60b1816d11f972828304a36ce3a923d803e923dce3a4a3628309728d11f1816b60bfb0039f6c1ebe4e1ecd81ed1b6cae4c5ccc288c120c28fc4c4c89ecef0d583de15e85ef20efdd5076112601c87258f2d3d345c39c63c603e1f3e053c203890327f2b2123b8198b0fe7041efa82ef64e510dcced3decc73c7b7c3c7c1b1c177c30ac74fcc1ed343db81e490ee24f9ed03970ed2185022c92afb31b037bd3b023e6e3eff3cbe39c5343a2e4f263f1d5013ce0809fe53f3fee858dfabd639cf3bc9dfc445c282c19bc289c534ca7ad029d809e1d4ea41f50000bf0a2c15f71ed727862fcc35773a653d7e3ebb3d213bc536c7305529a8200217ad0cf70132f7b0ecc1e2b1d9c6d13bcb42c601c392c1fec143c450c805ce37d5b0dd2ee769f113fcdc0670117f1bbd24e22cb133f638893c4f3e393e493c8d382233322cf0239c1a7e10e20519fb75f048e6dfdc81d470cde0c7fbc3e1c1a0c13ac3a4c6c3cb71d279daa0e39fed2bf8f202a20deb177d21102a62313c37713be03d783e343d1c3a4a35e22e14271c1e3f14c70905ff4af4e8e92fe069d7d8cfb6c932c56ec280c16ec232c5b6c9d8cf69d72fe0e8e94af405ffc7093f141c1e1427e22e4a351c3a343d783ee03d713b3c376231102a7d21eb17a20df2022bf89feda0e379da71d2c3cba4c63ac3a0c1e1c1fbc3e0c770cd81d4dfdc48e675f019fbe2057e109c1af023322c22338d38493c393e4f3e893cf638b133e22cbd247f1b7011dc0613fc69f12ee7b0dd37d505ce50c843c4fec192c101c342c63bcbc6d1b1d9c1e2b0ec32f7f701ad0c0217a8205529c730c536213bbb3d7e3e653d773acc35862fd727f71e2c15bf0a000041f5d4ea09e129d87ad034ca89c59bc282c145c2dfc43bc939cfabd658dffee853f309fece0850133f1d4f263a2ec534be39ff3c6e3e023ebd3bb037fb31c92a5022d218970eed0324f990ee81e443db1ed34fcc0ac777c3b1c1c7c1b7c373c7deccced310dc64e582ef1efae7048b0fb81921237f2b90322038053c1f3e603ec63c5c393d348f2d8725601c6112d5070efd5ef215e883def0d59ecec4c88fc420c288c1ccc2e4c5b6ca1ed1ecd8e4e1c1eb39f6fb00b60b1816d11f972828304a36ce3a923d803e923dce3a4a3628309728d11f1816b60bfb0039f6c1ebe4e1ecd81ed1b6cae4c5ccc288c120c28fc4c4c89ecef0d583de15e85ef20efdd5076112601c87258f2d3d345c39c63c603e1f3e053c203890327f2b2123b8198b0fe7041efa82ef64e510dcced3decc73c7b7c3c7c1b1c177c30ac74fcc1ed343db81e490ee24f9ed03970ed2185022c92afb31b037bd3b023e6e3eff3cbe39c5343a2e4f263f1d5013ce0809fe53f3fee858dfabd639cf3bc9dfc445c282c19bc289c534ca7ad029d809e1d4ea41f50000bf0a2c15f71ed727862fcc35773a653d7e3ebb3d213bc536c7305529a8200217ad0cf70132f7b0ecc1e2b1d9c6d13bcb42c601c392c1fec143c450c805ce37d5b0dd2ee769f113fcdc0670117f1bbd24e22cb133f638893c4f3e393e493c8d382233322cf0239c1a7e10e20519fb75f048e6dfdc81d470cde0c7fbc3e1c1a0c13ac3a4c6c3cb71d279daa0e39fed2bf8f202a20deb177d21102a62313c37713be03d783e343d1c3a4a35e22e14271c1e3f14c70905ff4af4e8e92fe069d7d8cfb6c932c56ec280c16ec232c5b6c9d8cf69d72fe0e8e94af405ffc7093f141c1e1427e22e4a351c3a343d783ee03d713b3c376231102a7d21eb17a20df2022bf89feda0e379da71d2c3cba4c63ac3a0c1e1c1fbc3e0c770cd81d4dfdc48e675f019fbe2057e109c1af023322c22338d38493c393e4f3e893cf638b133e22cbd247f1b7011dc0613fc69f12ee7b0dd37d505ce50c843c4fec192c101c342c63bcbc6d1b1d9c1e2b0ec32f7f701ad0c0217a8205529c730c536213bbb3d7e3e653d773acc35862fd727f71e2c15bf0a000041f5d4ea09e129d87ad034ca89c59bc282c145c2dfc43bc939cfabd658dffee853f309fece0850133f1d4f263a2ec534be39ff3c6e3e023ebd3bb037fb31c92a5022d218970eed0324f990ee81e443db1ed34fcc0ac777c3b1c1c7c1b7c373c7deccced310dc64e582ef1efae7048b0fb81921237f2b90322038053c1f3e603ec63c5c393d348f2d8725601c6112d5070efd5ef215e883def0d59ecec4c88fc420c288c1ccc2e4c5b6ca1ed1ecd8e4e1c1eb39f6fb00b60b1816d11f972828304a36ce3a923d803e923dce3a4a3628309728d11f1816b60bfb0039f6c1ebe4e1ecd81ed1b6cae4c5ccc288c120c28fc4c4c89ecef0d583de15e85ef20efdd5076112601c87258f2d3d345c39c63c603e1f3e053c203890327f2b2123b8198b0fe7041efa82ef64e510dcced3decc73c7b7c3c7c1b1c177c30ac74fcc1ed343db81e490ee24f9ed03970ed2185022c92afb31b037bd3b023e6e3eff3cbe39c5343a2e4f263f1d5013ce0809fe53f3fee858dfabd639cf3bc9dfc445c282c19bc289c534ca7ad029d809e1d4ea41f50000bf0a2c15f71ed727862fcc35773a653d7e3ebb3d213bc536c7305529a8200217ad0cf70132f7b0ecc1e2b1d9c6d13bcb42c601c392c1fec143c450c805ce37d5b0dd2ee769f113fcdc0670117f1bbd24e22cb133f638893c4f3e393e493c8d382233322cf0239c1a7e10e20519fb75f048e6dfdc81d470cde0c7fbc3e1c1a0c13ac3a4c6c3cb71d279daa0e39fed2bf8f202a20deb177d21102a62313c37713be03d783e343d1c3a4a35e22e14271c1e3f14c70905ff4af4e8e92fe069d7d8cfb6c932c56ec280c16ec232c5b6c9d8cf69d72fe0e8e94af405ffc7093f141c1e1427e22e4a351c3a343d783ee03d713b3c376231102a7d21eb17a20df2022bf89feda0e379da71d2c3cba4c63ac3a0c1e1c1fbc3e0c770cd81d4dfdc48e675f019fbe2057e109c1af023322c22338d38493c393e4f3e893cf638b133e22cbd247f1b7011dc0613fc69f12ee7b0dd37d505ce50c843c4fec192c101c342c63bcbc6d1b1d9c1e2b0ec32f7f701ad0c0217a8205529c730c536213bbb3d7e3e653d773acc35862fd727f71e2c15bf0a000041f5d4ea09e129d87ad034ca89c59bc282c145c2dfc43bc939cfabd658dffee853f309fece0850133f1d4f263a2ec534be39ff3c6e3e023ebd3bb037fb31c92a5022d218970eed0324f990ee81e443db1ed34fcc0ac777c3b1c1c7c1b7c373c7deccced310dc64e582ef1efae7048b0fb81921237f2b90322038053c1f3e603ec63c5c393d348f2d8725601c6112d5070efd5ef215e883def0d59ecec4c88fc420c288c1ccc2e4c5b6ca1ed1ecd8e4e1c1eb39f6fb00b60b1816d11f972828304a36ce3a923d803e923dce3a4a3628309728d11f1816b60bfb0039f6c1ebe4e1ecd81ed1b6cae4c5ccc288c120c28fc4c4c89ecef0d583de15e85ef20efdd5076112601c87258f2d3d345c39c63c603e1f3e053c203890327f2b2123b8198b0fe7041efa82ef64e510dcced3decc73c7b7c3c7c1b1c177c30ac74fcc1ed343db81e490ee24f9ed03970ed2185022c92afb31b037bd3b023e6e3eff3cbe39c5343a2e4f263f1d5013ce0809fe53f3fee858dfabd639cf3bc9dfc445c282c19bc289c534ca7ad029d809e1d4ea41f50000bf0a2c15f71ed727862fcc35773a653d7e3ebb3d213bc536c7305529a8200217ad0cf70132f7b0ecc1e2b1d9c6d13bcb42c601c392c1fec143c450c805ce37d5b0dd2ee769f113fcdc0670117f1bbd24e22cb133f638893c4f3e393e493c8d382233322cf0239c1a7e10e20519fb75f048e6dfdc81d470cde0c7fbc3e1c1a0c13ac3a4c6c3cb71d279daa0e39fed2bf8f202a20deb177d21102a62313c37713be03d783e343d1c3a4a35e22e14271c1e3f14c70905ff4af4e8e92fe069d7d8cfb6c932c56ec280c16ec232c5b6c9d8cf69d72fe0e8e94af405ffc7093f141c1e1427e22e4a351c3a343d783ee03d713b3c376231102a7d21eb17a20df2022bf89feda0e379da71d2c3cba4c63ac3a0c1e1c1fbc3e0c770cd81d4dfdc48e675f019fbe2057e109c1af023322c22338d38493c393e4f3e893cf638b133e22cbd247f1b7011dc0613fc69f12ee7b0dd37d505ce50c843c4fec192c101c342c63bcbc6d1b1d9c1e2b0ec32f7f701ad0c0217a8205529c730c536213bbb3d7e3e653d773acc35862fd727f71e2c15bf0a000041f5d4ea09e129d87ad034ca89c59bc282c145c2dfc43bc939cfabd658dffee853f309fece0850133f1d4f263a2ec534be39ff3c6e3e023ebd3bb037fb31c92a5022d218970eed0324f990ee81e443db1ed34fcc0ac777c3b1c1c7c1b7c373c7deccced310dc64e582ef1efae7048b0fb81921237f2b90322038053c1f3e603ec63c5c393d348f2d8725601c6112d5070efd5ef215e883def0d59ecec4c88fc420c288c1ccc2e4c5b6ca1ed1ecd8e4e1c1eb39f6fb00b60b1816d11f972828304a36ce3a923d803e923dce3a4a3628309728d11f1816b60bfb0039f6c1ebe4e1ecd81ed1b6cae4c5ccc288c120c28fc4c4c89ecef0d583de15e85ef20efdd5076112601c87258f2d3d345c39c63c603e1f3e053c203890327f2b2123b8198b0fe7041efa82ef64e510dcced3decc73c7b7c3c7c1b1c177c30ac74fcc1ed343db81e490ee24f9ed03970ed2185022c92afb31b037bd3b023e6e3eff3cbe39c5343a2e4f263f1d5013ce0809fe53f3fee858dfabd639cf3bc9dfc445c282c19bc289c534ca7ad029d809e1d4ea41f50000bf0a2c15f71ed727862fcc35773a653d7e3ebb3d213bc536c7305529a8200217ad0cf70132f7b0ecc1e2b1d9c6d13bcb42c601c392c1fec143c450c805ce37d5b0dd2ee769f113fcdc0670117f1bbd24e22cb133f638893c4f3e393e493c8d382233322cf0239c1a7e10e20519fb75f048e6dfdc81d470cde0c7fbc3e1c1a0c13ac3a4c6c3cb71d279daa0e39fed2bf8f202a20deb177d21102a62313c37713be03d783e343d1c3a4a35e22e14271c1e3f14c70905ff4af4e8e92fe069d7d8cfb6c932c56ec280c16ec232c5b6c9d8cf69d72fe0e8e94af405ffc7093f141c1e1427e22e4a351c3a343d783ee03d713b3c376231102a7d21eb17a20df2022bf89feda0e379da71d2c3cba4c63ac3a0c1e1c1fbc3e0c770cd81d4dfdc48e675f019fbe2057e109c1af023322c22338d38493c393e4f3e893cf638b133e22cbd247f1b7011dc0613fc69f12ee7b0dd37d505ce50c843c4fec192c101c342c63bcbc6d1b1d9c1e2b0ec32f7f701ad0c0217a8205529c730c536213bbb3d7e3e653d773acc35862fd727f71e2c15bf0a000041f5d4ea09e129d87ad034ca89c59bc282c145c2dfc43bc939cfabd658dffee853f309fece0850133f1d4f263a2ec534be39ff3c6e3e023ebd3bb037fb31c92a5022d218970eed0324f990ee81e443db1ed34fcc0ac777c3b1c1c7c1b7c373c7deccced310dc64e582ef1efae7048b0fb81921237f2b90322038053c1f3e603ec63c5c393d348f2d8725601c6112d5070efd5ef215e883def0d59ecec4c88fc420c288c1ccc2e4c5b6ca1ed1ecd8e4e1c1eb39f6fb00b60b1816d11f972828304a36ce3a923d803e923dce3a4a3628309728d11f1816b60bfb0039f6c1ebe4e1ecd81ed1b6cae4c5ccc288c120c28fc4c4c89ecef0d583de15e85ef20efdd5076112601c87258f2d3d345c39c63c603e1f3e053c203890327f2b2123b8198b0fe7041efa82ef64e510dcced3decc73c7b7c3c7c1b1c177c30ac74fcc1ed343db81e490ee24f9ed03970ed2185022c92afb31b037bd3b023e6e3eff3cbe39c5343a2e4f263f1d5013ce0809fe53f3fee858dfabd639cf3bc9dfc445c282c19bc289c534ca7ad029d809e1d4ea41f50000bf0a2c15f71ed727862fcc35773a653d7e3ebb3d213bc536c7305529a8200217ad0cf70132f7b0ecc1e2b1d9c6d13bcb42c601c392c1fec143c450c805ce37d5b0dd2ee769f113fcdc0670117f1bbd24e22cb133f638893c4f3e393e493c8d382233322cf0239c1a7e10e20519fb75f048e6dfdc81d470cde0c7fbc3e1c1a0c13ac3a4c6c3cb71d279daa0e39fed2bf8f202a20deb177d21102a62313c37713be03d783e343d1c3a4a35e22e14271c1e3f14c70905ff4af4e8e92fe069d7d8cfb6c932c56ec280c16ec232c5b6c9d8cf69d72fe0e8e94af405ffc7093f141c1e1427e22e4a351c3a343d783ee03d713b3c376231102a7d21eb17a20df2022bf89feda0e379da71d2c3cba4c63ac3a0c1e1c1fbc3e0c770cd81d4dfdc48e675f019fbe2057e109c1af023322c22338d38493c393e4f3e893cf638b133e22cbd247f1b7011dc0613fc69f12ee7b0dd37d505ce50c843c4fec192c101c342c63bcbc6d1b1d9c1e2b0ec32f7f701ad0c0217a8205529c730c536213bbb3d7e3e653d773acc35862fd727f71e2c15bf0a000041f5d4ea09e129d87ad034ca89c59bc282c145c2dfc43bc939cfabd658dffee853f309fece0850133f1d4f263a2ec534be39ff3c6e3e023ebd3bb037fb31c92a5022d218970eed0324f990ee81e443db1ed34fcc0ac777c3b1c1c7c1b7c373c7deccced310dc64e582ef1efae7048b0fb81921237f2b90322038053c1f3e603ec63c5c393d348f2d8725601c6112d5070efd5ef215e883def0d59ecec4c88fc420c288c1ccc2e4c5b6ca1ed1ecd8e4e1c1eb39f6fb00b60b1816d11f972828304a36ce3a923d803e923dce3a4a3628309728d11f1816b60bfb0039f6c1ebe4e1ecd81ed1b6cae4c5ccc288c120c28fc4c4c89ecef0d583de15e85ef20efdd5076112601c87258f2d3d345c39c63c603e1f3e053c203890327f2b2123b8198b0fe7041efa82ef64e510dcced3decc73c7b7c3c7c1b1c177c30ac74fcc1ed343db81e490ee24f9ed03970ed2185022c92afb31b037bd3b023e6e3eff3cbe39c5343a2e4f263f1d5013ce0809fe53f3fee858dfabd639cf3bc9dfc445c282c19bc289c534ca7ad029d809e1d4ea41f50000bf0a2c15f71ed727862fcc35773a653d7e3ebb3d213bc536c7305529a8200217ad0cf70132f7b0ecc1e2b1d9c6d13bcb42c601c392c1fec143c450c805ce37d5b0dd2ee769f113fcdc0670117f1bbd24e22cb133f638893c4f3e393e493c8d382233322cf0239c1a7e10e20519fb75f048e6dfdc81d470cde0c7fbc3e1c1a0c13ac3a4c6c3cb71d279daa0e39fed2bf8f202a20deb177d21102a62313c37713be03d783e343d1c3a4a35e22e14271c1e3f14c70905ff4af4e8e92fe069d7d8cfb6c932c56ec280c16ec232c5b6c9d8cf69d72fe0e8e94af405ffc7093f141c1e1427e22e4a351c3a343d783ee03d713b3c376231102a7d21eb17a20df2022bf89feda0e379da71d2c3cba4c63ac3a0c1e1c1fbc3e0c770cd81d4dfdc48e675f019fbe2057e109c1af023322c22338d38493c393e4f3e893cf638b133e22cbd247f1b7011dc0613fc69f12ee7b0dd37d505ce50c843c4fec192c101c342c63bcbc6d1b1d9c1e2b0ec32f7f701ad0c0217a8205529c730c536213bbb3d7e3e653d773acc35862fd727f71e2c15bf0a000041f5d4ea09e129d87ad034ca89c59bc282c145c2dfc43bc939cfabd658dffee853f309fece0850133f1d4f263a2ec534be39ff3c6e3e023ebd3bb037fb31c92a5022d218970eed0324f990ee81e443db1ed34fcc0ac777c3b1c1c7c1b7c373c7deccced310dc64e582ef1efae7048b0fb81921237f2b90322038053c1f3e603ec63c5c393d348f2d8725601c6112d5070efd5ef215e883def0d59ecec4c88fc420c288c1ccc2e4c5b6ca1ed1ecd8e4e1c1eb39f6fb00b60b1816d11f972828304a36ce3a923d803e923dce3a4a3628309728d11f1816b60bfb0039f6c1ebe4e1ecd81ed1b6cae4c5ccc288c120c28fc4c4c89ecef0d583de15e85ef20efdd5076112601c87258f2d3d345c39c63c603e1f3e053c203890327f2b2123b8198b0fe7041efa82ef64e510dcced3decc73c7b7c3c7c1b1c177c30ac74fcc1ed343db81e490ee24f9ed03970ed2185022c92afb31b037bd3b023e6e3eff3cbe39c5343a2e4f263f1d5013ce0809fe53f3fee858dfabd639cf3bc9dfc445c282c19bc289c534ca7ad029d809e1d4ea41f50000bf0a2c15f71ed727862fcc35773a653d7e3ebb3d213bc536c7305529a8200217ad0cf70132f7b0ecc1e2b1d9c6d13bcb42c601c392c1fec143c450c805ce37d5b0dd2ee769f113fcdc0670117f1bbd24e22cb133f638893c4f3e393e493c8d382233322cf0239c1a7e10e20519fb75f048e6dfdc81d470cde0c7fbc3e1c1a0c13ac3a4c6c3cb71d279daa0e39fed2bf8f202a20deb177d21102a62313c37713be03d783e343d1c3a4a35e22e14271c1e3f14c70905ff4af4e8e92fe069d7d8cfb6c932c56ec280c16ec232c5b6c9d8cf69d72fe0e8e94af405ffc7093f141c1e1427e22e4a351c3a343d783ee03d713b3c376231102a7d21eb17a20df2022bf89feda0e379da71d2c3cba4c63ac3a0c1e1c1fbc3e0c770cd81d4dfdc48e675f019fbe2057e109c1af023322c22338d38493c393e4f3e893cf638b133e22cbd247f1b7011dc0613fc69f12ee7b0dd37d505ce50c843c4fec192c101c342c63bcbc6d1b1d9c1e2b0ec32f7f701ad0c0217a8205529c730c536213bbb3d7e3e653d773acc35862fd727f71e2c15bf0a000041f5d4ea09e129d87ad034ca89c59bc282c145c2dfc43bc939cfabd658dffee853f309fece0850133f1d4f263a2ec534be39ff3c6e3e023ebd3bb037fb31c92a5022d218970eed0324f990ee81e443db1ed34fcc0ac777c3b1c1c7c1b7c373c7deccced310dc64e582ef1efae7048b0fb81921237f2b90322038053c1f3e603ec63c5c393d348f2d8725601c6112d5070efd5ef215e883def0d59ecec4c88fc420c288c1ccc2e4c5b6ca1ed1ecd8e4e1c1eb39f6fb00b60b1816d11f972828304a36ce3a923d803e923dce3a4a3628309728d11f1816b60bfb0039f6c1ebe4e1ecd81ed1b6cae4c5ccc288c120c28fc4c4c89ecef0d583de15e85ef20efdd5076112601c87258f2d3d345c39c63c603e1f3e053c203890327f2b2123b8198b0fe7041efa82ef64e510dcced3decc73c7b7c3c7c1b1c177c30ac74fcc1ed343db81e490ee24f9ed03970ed2185022c92afb31b037bd3b023e6e3eff3cbe39c5343a2e4f263f1d5013ce0809fe53f3fee858dfabd639cf3bc9dfc445c282c19bc289c534ca7ad029d809e1d4ea41f50000bf0a2c15f71ed727862fcc35773a653d7e3ebb3d213bc536c7305529a8200217ad0cf70132f7b0ecc1e2b1d9c6d13bcb42c601c392c1fec143c450c805ce37d5b0dd2ee769f113fcdc0670117f1bbd24e22cb133f638893c4f3e393e493c8d382233322cf0239c1a7e10e20519fb75f048e6dfdc81d470cde0c7fbc3e1c1a0c13ac3a4c6c3cb71d279daa0e39fed2bf8f202a20deb177d21102a62313c37713be03d783e343d1c3a4a35e22e14271c1e3f14c70905ff4af4e8e92fe069d7d8cfb6c932c56ec280c16ec232c5b6c9d8cf69d72fe0e8e94af405ffc7093f141c1e1427e22e4a351c3a343d783ee03d713b3c376231102a7d21eb17a20df2022bf89feda0e379da71d2c3cba4c63ac3a0c1e1c1fbc3e0c770cd81d4dfdc48e675f019fbe2057e109c1af023322c22338d38493c393e4f3e893cf638b133e22cbd247f1b7011dc0613fc69f12ee7b0dd37d505ce50c843c4fec192c101c342c63bcbc6d1b1d9c1e2b0ec32f7f701ad0c0217a8205529c730c536213bbb3d7e3e653d773acc35862fd727f71e2c15bf0a000041f5d4ea09e129d87ad034ca89c59bc282c145c2dfc43bc939cfabd658dffee853f309fece0850133f1d4f263a2ec534be39ff3c6e3e023ebd3bb037fb31c92a5022d218970eed0324f990ee81e443db1ed34fcc0ac777c3b1c1c7c1b7c373c7deccced310dc64e582ef1efae7048b0fb81921237f2b90322038053c1f3e603ec63c5c393d348f2d8725601c6112d5070efd5ef215e883def0d59ecec4c88fc420c288c1ccc2e4c5b6ca1ed1ecd8e4e1c1eb39f6fb00b60b1816d11f972828304a36ce3a923d803e923dce3a4a3628309728d11f1816b60bfb0039f6c1ebe4e1ecd81ed1b6cae4c5ccc288c120c28fc4c4c89ecef0d583de15e85ef20efdd5076112601c87258f2d3d345c39c63c603e1f3e053c203890327f2b2123b8198b0fe7041efa82ef64e510dcced3decc73c7b7c3c7c1b1c177c30ac74fcc1ed343db81e490ee24f9ed03970ed2185022c92afb31b037bd3b023e6e3eff3cbe39c5343a2e');

INSERT INTO public.uploads VALUES
	('65f9467a-6935-4ba5-a17c-bfa59ba51220', '7a1f0c1e-7d0b-4c42-9d0c-0d3f8f7a5b02', 16044, '2026-11-23 03:07:29.9+00', '2026-11-23 03:07:29.9+00'),
	('06ae5f05-2b6e-426f-b444-9c3ea8b9eea1', '7a1f0c1e-7d0b-4c42-9d0c-0d3f8f7a5b01', 16044, '2026-11-23 03:07:29.889+00', '2026-11-23 03:07:29.909+00');

INSERT INTO public.user_transmission_access VALUES
	(1, '06ae5f05-2b6e-426f-b444-9c3ea8b9eea1', 1, '2026-11-23 03:07:25.167+00', '65f9467a-6935-4ba5-a17c-bfa59ba51220'),
	(2, '06ae5f05-2b6e-426f-b444-9c3ea8b9eea1', 2, '2026-11-23 03:07:25.167+00', '65f9467a-6935-4ba5-a17c-bfa59ba51220'),
	(3, 'e1a7483b-f2c6-460f-a8f1-c77f6df6b7ce', 1, '2026-11-23 03:07:25.506+00', '65f9467a-6935-4ba5-a17c-bfa59ba51220'),
	(4, '3ece5ccf-551a-4429-9d15-5322f5103859', 1, '2026-11-23 03:07:26.004+00', '65f9467a-6935-4ba5-a17c-bfa59ba51220'),
	(5, '057d0bf2-4e8a-4ecd-a25c-8205973b312e', 1, '2026-11-23 03:07:30.043+00', '65f9467a-6935-4ba5-a17c-bfa59ba51220'),
	(6, 'b39b0e42-9237-4e4c-a9af-42ec117c6b49', 1, '2026-11-23 03:07:35.714+00', '65f9467a-6935-4ba5-a17c-bfa59ba51220');

INSERT INTO public.users VALUES
	('65f9467a-6935-4ba5-a17c-bfa59ba51220', 'teacher@example.org', NULL, NULL, 'khandro', '$argon2id$v=19$m=65536,t=3,p=1$tEQHqi+wgYw47AoPAi545w$ar+2cUrs1DcqQgrrjK4qZyqNQm7dLXweYq75oVnS98U', NULL, 'admin', true, '2026-11-23 03:07:24.416+00', '2026-11-23 03:07:24.416+00', false, true),
	('06ae5f05-2b6e-426f-b444-9c3ea8b9eea1', 'tashi@example.org', 'Tashi', 'Dölma', 'tashi', '$argon2id$v=19$m=65536,t=3,p=1$JwmJRA0rfAmC+PtX5EWeCA$NrxTjLvB6gwE5mfJcZMjbb0H/oN2725ogur1yRrYpps', NULL, 'student', true, '2026-11-23 03:07:25.167+00', '2026-11-23 03:07:25.412+00', false, true),
	('3ece5ccf-551a-4429-9d15-5322f5103859', 'norbu@example.org', 'Norbu', 'Lhamo', 'norbu', '$argon2id$v=19$m=65536,t=3,p=1$OCWawXcCjbHDMagN7Eyk4w$/18/m8QGT8jgSkkqHN0OPi4BDH1RvoNI+5ExFrp4q+I', NULL, 'student', false, '2026-11-23 03:07:26.004+00', '2026-11-23 03:07:26.295+00', false, true),
	('e1a7483b-f2c6-460f-a8f1-c77f6df6b7ce', 'pema@example.org', 'Pema', 'Wangmo', 'pema', '$argon2id$v=19$m=65536,t=3,p=1$HN82Fo68s9U6bGqoMqVHQA$ddCJhk5DTkA+MM/d7f21sfcsrAzCFwvnxsA0d28BHKw', NULL, 'student', true, '2026-11-23 03:07:25.506+00', '2026-11-23 03:07:26.307+00', false, false),
	('057d0bf2-4e8a-4ecd-a25c-8205973b312e', 'yeshe@example.org', 'Yeshe', 'Gyatso', 'yeshe', '$argon2id$v=19$m=65536,t=3,p=1$Ay/TR3BV7V7wQBeT3j38GQ$6DQJcXP3t5IK2NCc75wGGPmwOoN4PLkLEqvSMCxprz8', NULL, 'student', true, '2026-11-23 03:07:30.043+00', '2026-11-23 03:07:30.043+00', true, true),
	('b39b0e42-9237-4e4c-a9af-42ec117c6b49', 'lobsang@example.org', 'Lobsang', 'Dawa', 'lobsang', '$argon2id$v=19$m=65536,t=3,p=1$GIIXA+ez8s9kNRb1n4blnw$JLiUx9/3Ia6Vz5T0kvhQFXOEjeAk+Ec7bTWJGSzE3V4', NULL, 'student', true, '2026-11-23 03:07:35.714+00', '2026-11-23 03:07:35.714+00', true, true);

SELECT pg_catalog.setval('drizzle.__drizzle_migrations_id_seq', 4, true);

SELECT pg_catalog.setval('public.attempts_id_seq', 10, true);

SELECT pg_catalog.setval('public.audit_log_id_seq', 7, true);

SELECT pg_catalog.setval('public.categories_id_seq', 1, false);

SELECT pg_catalog.setval('public.feedback_id_seq', 3, true);

SELECT pg_catalog.setval('public.mails_id_seq', 2, true);

SELECT pg_catalog.setval('public.melodies_id_seq', 3, true);

SELECT pg_catalog.setval('public.password_reset_tokens_id_seq', 1, false);

SELECT pg_catalog.setval('public.recordings_id_seq', 6, true);

SELECT pg_catalog.setval('public.registration_requests_id_seq', 2, true);

SELECT pg_catalog.setval('public.transmission_levels_id_seq', 6, true);

SELECT pg_catalog.setval('public.user_transmission_access_id_seq', 6, true);

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

ALTER TABLE ONLY public.known_devices
    ADD CONSTRAINT known_devices_user_id_device_pk PRIMARY KEY (user_id, device);

ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.media_files
    ADD CONSTRAINT media_files_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.melodies
    ADD CONSTRAINT melodies_pkey PRIMARY KEY (id);

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

ALTER TABLE ONLY public.upload_pieces
    ADD CONSTRAINT upload_pieces_owner_id_client_id_start_pk PRIMARY KEY (owner_id, client_id, start);

ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_owner_id_client_id_pk PRIMARY KEY (owner_id, client_id);

ALTER TABLE ONLY public.user_transmission_access
    ADD CONSTRAINT user_transmission_access_once UNIQUE (user_id, transmission_level_id);

ALTER TABLE ONLY public.user_transmission_access
    ADD CONSTRAINT user_transmission_access_pkey PRIMARY KEY (id);

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

CREATE INDEX mails_status ON public.mails USING btree (status, settled_at);

CREATE INDEX mails_user ON public.mails USING btree (user_id);

CREATE INDEX melodies_audio ON public.melodies USING btree (audio_url);

CREATE INDEX melodies_created_by ON public.melodies USING btree (created_by);

CREATE INDEX melodies_level ON public.melodies USING btree (transmission_level_id);

CREATE INDEX melodies_newest ON public.melodies USING btree (created_at, id);

CREATE INDEX melodies_playback ON public.melodies USING btree (playback_url);

CREATE INDEX melodies_thumbnail ON public.melodies USING btree (thumbnail_url);

CREATE INDEX password_reset_tokens_user ON public.password_reset_tokens USING btree (user_id);

CREATE INDEX recordings_audio ON public.recordings USING btree (audio_url);

CREATE INDEX recordings_melody ON public.recordings USING btree (melody_id);

CREATE INDEX recordings_pending ON public.recordings USING btree (created_at, id) WHERE (status = 'pending'::text);

CREATE INDEX recordings_student_newest ON public.recordings USING btree (student_id, id);

CREATE UNIQUE INDEX registration_requests_one_pending ON public.registration_requests USING btree (lower(email)) WHERE (status = 'pending'::text);

CREATE INDEX registration_requests_status ON public.registration_requests USING btree (status, requested_at);

CREATE INDEX sessions_expire ON public.sessions USING btree (expire);

CREATE INDEX sessions_user ON public.sessions USING btree (((sess ->> 'userId'::text)));

CREATE INDEX uploads_created ON public.uploads USING btree (created_at);

CREATE INDEX user_transmission_access_granted_by ON public.user_transmission_access USING btree (granted_by);

CREATE INDEX user_transmission_access_level ON public.user_transmission_access USING btree (transmission_level_id);

CREATE UNIQUE INDEX users_email_unique ON public.users USING btree (lower(email));

CREATE UNIQUE INDEX users_username_unique ON public.users USING btree (lower(username));

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

ALTER TABLE ONLY public.upload_pieces
    ADD CONSTRAINT upload_pieces_owner_id_client_id_uploads_owner_id_client_id_fk FOREIGN KEY (owner_id, client_id) REFERENCES public.uploads(owner_id, client_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_owner_id_users_id_fk FOREIGN KEY (owner_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.user_transmission_access
    ADD CONSTRAINT user_transmission_access_granted_by_users_id_fk FOREIGN KEY (granted_by) REFERENCES public.users(id);

ALTER TABLE ONLY public.user_transmission_access
    ADD CONSTRAINT user_transmission_access_transmission_level_id_transmission_lev FOREIGN KEY (transmission_level_id) REFERENCES public.transmission_levels(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.user_transmission_access
    ADD CONSTRAINT user_transmission_access_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
