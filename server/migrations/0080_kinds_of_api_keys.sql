-- Keys that a sign-in in a terminal or an agent gets are distinct from those that people make, and a key can end by
-- itself.
alter table api_keys
  add column kind text collate "C" not null default 'key' check (kind in ('key', 'login', 'agent')),
  -- From this moment the key is refused like a deleted one. Null: until it is deleted.
  add column expires_at timestamptz(3);
