-- Of a scan of what is different between two moments: by target, the services that are, and whether the host itself is.
alter table scans add column diff_services jsonb;
