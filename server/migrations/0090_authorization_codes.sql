-- Clients of OAuth that open a browser (authorization code, RFC 6749, section 4.1) get their keys by the same approvals as
-- terminals: a person approves, and someone who may make keys confirms it where the person may not.
alter table device_authorizations
  -- Only terminals have a code that a person enters. For other clients, `device_code_hash` is the SHA-256 of the
  -- authorization code.
  alter column user_code_hash drop not null,
  -- The address of the client's metadata document.
  add column client_id text,
  add column redirect_uri text,
  -- S256 of the client's verifier, in base64url (RFC 7636).
  add column code_challenge text,
  add column resource text,
  -- The client's own parameter `state`, which its answer repeats.
  add column client_state text,
  add check ((user_code_hash is null) = (client_id is not null)),
  add check (num_nulls(client_id, redirect_uri, code_challenge, resource) in (0, 4)),
  add check (client_id is not null or client_state is null);
