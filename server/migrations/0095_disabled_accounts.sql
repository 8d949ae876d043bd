-- When an operator disabled the account: no one can sign in with it, and keys that act within its rights are refused.
alter table users add column disabled_at timestamptz(3);
