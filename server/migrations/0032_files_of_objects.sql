-- Files hang on more than engagements: on results, tasks, pages and saved requests, some of which belong to no engagement.

alter table files
  alter column engagement_id drop not null,
  add column owner_type text collate "C" not null default 'engagement'
    check (owner_type in ('engagement', 'result', 'task', 'page', 'request')),
  -- No foreign key, since it leads to one of several tables: whoever deletes the owner deletes the rows of its files.
  add column owner_id text collate "C";

update files set owner_id = engagement_id;

alter table files
  alter column owner_id set not null,
  alter column owner_type drop default;

create index files_owner on files (organization_id, owner_type, owner_id, id);
drop index files_engagement;
create index files_engagement on files (organization_id, engagement_id);

-- Made again at start, for a column that may be null.
drop policy if exists visible_engagement on files;
