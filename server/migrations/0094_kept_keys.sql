-- Keys of former values of SESSION_SECRET that stored hashes still need: a hash, such as that of a recovery code, cannot
-- be encrypted again. Each is encrypted with the present SESSION_SECRET.
create table kept_keys (
  -- SHA-256 of the key, in hex.
  id text collate "C" primary key,
  -- AES-256-GCM; the associated data is table, column and id.
  sealed bytea not null,
  kept_at timestamptz(3) not null
);
