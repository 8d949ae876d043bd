-- How many scans of an organization wait for their turn is counted whenever one is started.
create index scans_queued on scans (organization_id) where state = 'queued';
