-- The command line of testers adds what a program sent from a shell to the operation log: the command, and how it ended. It sends
-- again after a crash or a lost answer, days later if need be: external_id and external_position name its rows, so that each is
-- added once.
alter table operation_log_entries
  drop constraint operation_log_entries_kind_check,
  add check (kind in ('scan', 'request', 'import', 'manual', 'run')),
  -- As it was typed, with secrets masked.
  add column command text,
  add column exit_code integer,
  -- Why scope and testing hours were set aside.
  add column override_reason text,
  add column external_id text collate "C",
  add column external_position integer,
  add check ((external_id is null) = (external_position is null));

create unique index operation_log_entries_external on operation_log_entries (organization_id, engagement_id, external_id, external_position)
  where external_id is not null;
