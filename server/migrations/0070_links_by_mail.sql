-- A stranger who asks for somebody's mailed links must not use them up (finding S36): a link is mailed again, a few times,
-- instead of being replaced by a new one.

alter table password_resets
  -- How many mails have the link.
  add column mails integer not null default 1;

-- Links that make a browser known to an account: what signing in asks for after too many wrong passwords. One per account.
create table browser_confirmations (
  user_id text collate "C" primary key references users (id),
  id text collate "C" not null constraint browser_confirmations_id unique,
  -- SHA-256 of the token in the mailed link. The token is derived from the id and is stored nowhere.
  token_hash bytea not null constraint browser_confirmations_token_hash unique,
  mails integer not null default 1,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);

create index browser_confirmations_end on browser_confirmations (expires_at);
