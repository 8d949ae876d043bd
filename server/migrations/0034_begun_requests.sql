-- A request whose effect cannot be rolled back is noted when it is begun: without an answer its outcome is unknown.

alter table idempotency_keys
  alter column status drop not null,
  alter column answer drop not null,
  add check ((status is null) = (answer is null));
