-- The hosts that the secrets of an environment or a folder are sent to; null: wherever a request may go.
alter table request_environments add column hosts text[];
alter table request_folders add column hosts text[];
