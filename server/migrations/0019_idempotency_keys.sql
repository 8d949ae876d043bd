-- Answers to requests with an Idempotency-Key: whoever repeats such a request gets the first answer again. A row commits with
-- the change that it answers, and is removed after 24 hours.

create table idempotency_keys (
  organization_id text collate "C" not null references organizations (id),
  api_key_id text collate "C" not null,
  -- As the client chose it.
  key text collate "C" not null,
  -- Keyed hash (HMAC) of method, path, query and body: nothing of the request can be guessed from it.
  request_hash bytea not null,
  status smallint not null check (status between 200 and 299),
  -- The body, as AES-256-GCM seals it for this row.
  answer bytea not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, api_key_id, key),
  -- No key, no repetition.
  foreign key (organization_id, api_key_id) references api_keys (organization_id, id) on delete cascade
);

create index idempotency_keys_age on idempotency_keys (created_at);
